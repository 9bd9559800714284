import { getText, RequestFailure } from '../platform/kernel/bounded-request.js';
import { parseExactText, RateSourceError } from './rate-source.pure.js';

/** The longest real response (all currencies that Coinbase knows) has about 20 KB. */
const MAX_BYTES = 256 * 1024;

/**
 * Numbers of the result are their source text.
 * @throws RateSourceError
 */
export async function getExactJson(url: string, timeoutMs: number): Promise<unknown> {
  try {
    return parseExactText(await getText(url, { timeoutMs, maxBytes: MAX_BYTES }));
  } catch (error) {
    if (error instanceof SyntaxError) throw new RateSourceError('the response is not JSON', { cause: error });
    if (!(error instanceof RequestFailure)) throw error;
    const { message, status, cause } = error;
    throw new RateSourceError(message, { ...(status !== null && { status }), cause });
  }
}
