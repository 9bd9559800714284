import { parseExactText, RateSourceError } from './rate-source.pure.js';

/** The longest real response (all currencies that Coinbase knows) has about 20 KB. */
const MAX_BODY_BYTES = 256 * 1024;

/**
 * GET with a limit on time and size; redirects are refused. Numbers of the result are their source text.
 * @throws RateSourceError
 */
export async function getExactJson(url: string, timeoutMs: number): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new RateSourceError(`HTTP ${response.status}`, { status: response.status });
    }
    return parseExactText(await readLimited(response));
  } catch (error) {
    if (error instanceof RateSourceError) throw error;
    throw new RateSourceError(describe(error), { cause: error });
  }
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RateSourceError('the response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** fetch only says "fetch failed"; the reason is in its cause. */
function describe(error: unknown): string {
  if (error instanceof SyntaxError) return 'the response is not JSON';
  const { name, message, cause } = Object(error) as Partial<Error>;
  if (name === 'TimeoutError') return 'timed out';
  const { message: reason } = Object(cause) as Partial<Error>;
  return reason ?? message ?? 'unreachable';
}
