/** A place where prices come from. */
export interface RateSource {
  readonly name: string;
  /**
   * Units of `quote` for one whole `base` as exact decimal text, or null where the source does not list the pair.
   * @throws RateSourceError when it cannot be asked or its answer cannot be trusted
   */
  fetchPrice(base: string, quote: string): Promise<string | null>;
}

/** The source is down, slow, limiting us, or talks nonsense; the message is safe to log. */
export class RateSourceError extends Error {
  /** HTTP status of a refusal. */
  readonly status: number | null;

  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status ?? null;
  }
}

/** The longest real answer (every currency that Coinbase knows) is about 20 KB. */
const MAX_BODY_BYTES = 256 * 1024;

/** JSON whose numbers arrive as their source text: a price never passes through a float. */
export function parseExactText(text: string): unknown {
  // Parsed once as it is: only valid JSON has strings that the pattern below can tell from numbers.
  JSON.parse(text);
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  return JSON.parse(quoted);
}

/**
 * GET with a limit on time and size; redirects are refused.
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
    if (size > MAX_BODY_BYTES) throw new RateSourceError('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** fetch says "fetch failed"; why is in the cause. */
function describe(error: unknown): string {
  if (error instanceof SyntaxError) return 'the answer is not JSON';
  const { name, message, cause } = Object(error) as Partial<Error>;
  if (name === 'TimeoutError') return 'timed out';
  const { message: reason } = Object(cause) as Partial<Error>;
  return reason ?? message ?? 'unreachable';
}
