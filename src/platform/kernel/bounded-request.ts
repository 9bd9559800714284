/** `failing`: it does not answer. `refused`: by its status, a redirect included. `unusable`: by what it says. */
export type RequestFailureKind = 'failing' | 'refused' | 'unusable';

/** The message is safe to log: it has no part of the address. */
export class RequestFailure extends Error {
  constructor(
    readonly kind: RequestFailureKind,
    message: string,
    /** HTTP status of an error response; null if there was no such response. */
    readonly status: number | null = null,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

export interface RequestLimits {
  timeoutMs: number;
  maxBytes: number;
}

/**
 * GET of an address that the operator has set, so private ones are allowed. Redirects are refused.
 * @throws RequestFailure
 */
export async function getText(url: string, { timeoutMs, maxBytes }: RequestLimits): Promise<string> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new RequestFailure('refused', `HTTP ${response.status}`, response.status);
    }
    return await readLimited(response, maxBytes);
  } catch (error) {
    if (error instanceof RequestFailure) throw error;
    throw new RequestFailure('failing', describe(error), null, error);
  }
}

async function readLimited(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new RequestFailure('unusable', 'the response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** fetch only says "fetch failed"; the reason is in its cause. */
function describe(error: unknown): string {
  const { name, message, cause } = Object(error) as Partial<Error>;
  if (name === 'TimeoutError') return 'timed out';
  const { message: reason } = Object(cause) as Partial<Error>;
  return reason ?? message ?? 'unreachable';
}
