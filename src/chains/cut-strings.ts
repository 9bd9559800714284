const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/**
 * Shortens the strings of a JSON text while it arrives. What a stranger can make long in a node's response is text:
 * the input and output of a call, the data of a transaction. Hashes, addresses, amounts and kinds are short.
 */
export class StringCutter {
  private isInString = false;
  /** Bytes of the current string that were kept; Infinity once the rest of it is dropped. */
  private kept = 0;
  private isEscaped = false;

  /** @param longest bytes of a string that are kept; from its first escape on, a string is dropped as well */
  constructor(private readonly longest: number) {}

  /** The next part of the text, shortened. */
  cut(chunk: Buffer): Buffer {
    const parts: Buffer[] = [];
    let backslash = chunk.indexOf(BACKSLASH);
    for (let at = 0; at < chunk.length;) {
      if (this.isEscaped) {
        this.isEscaped = false;
        at++;
        continue;
      }
      const quote = chunk.indexOf(QUOTE, at);
      const end = quote === -1 ? chunk.length : quote;
      if (!this.isInString) {
        const next = Math.min(end + 1, chunk.length);
        parts.push(chunk.subarray(at, next));
        if (quote !== -1) [this.isInString, this.kept] = [true, 0];
        at = next;
        continue;
      }
      if (backslash !== -1 && backslash < at) backslash = chunk.indexOf(BACKSLASH, at);
      const escape = backslash !== -1 && backslash < end ? backslash : -1;
      const stop = escape === -1 ? end : escape;
      const room = Math.max(0, Math.min(stop - at, this.longest - this.kept));
      if (room > 0) parts.push(chunk.subarray(at, at + room));
      this.kept = escape === -1 ? this.kept + stop - at : Infinity;
      at = stop;
      if (escape !== -1) {
        this.isEscaped = true;
        at++;
      } else if (quote !== -1) {
        parts.push(chunk.subarray(quote, quote + 1));
        this.isInString = false;
        at++;
      }
    }
    return Buffer.concat(parts);
  }
}

/** Limits of a response that is shortened while it arrives. */
export interface CutLimits {
  /** Bytes of a string that are kept. */
  longestString: number;
  /** Bytes that are kept altogether. */
  maxKeptBytes: number;
}

/** More is left of a response than may be kept. */
class ResponseTooLongError extends Error {
  readonly code = 'RESPONSE_TOO_LONG';
}

/** @throws ResponseTooLongError */
export async function* cutStrings(
  body: AsyncIterable<Buffer>,
  { longestString, maxKeptBytes }: CutLimits,
): AsyncGenerator<Buffer> {
  const cutter = new StringCutter(longestString);
  let kept = 0;
  for await (const chunk of body) {
    const rest = cutter.cut(chunk);
    kept += rest.length;
    if (kept > maxKeptBytes) throw new ResponseTooLongError();
    yield rest;
  }
}
