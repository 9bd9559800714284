/** An exchange that publishes prices. */
export interface RateSource {
  readonly name: string;
  /**
   * Units of `quote` for one whole `base` as exact decimal text, or null where the source does not list the pair.
   * @throws RateSourceError if the source is unreachable, refuses, or returns something unexpected
   */
  fetchPrice(base: string, quote: string): Promise<string | null>;
}

/** The source is unreachable or slow, refuses the request, or returns something unexpected. The message is safe to log. */
export class RateSourceError extends Error {
  /** HTTP status of an error response; null if there was no such response. */
  readonly status: number | null;

  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status ?? null;
  }
}

/** JSON with numbers as their source text, so that a price never becomes a float. */
export function parseExactText(text: string): unknown {
  // Throws unless the text is valid JSON: the pattern below relies on correctly quoted strings.
  JSON.parse(text);
  const quoted = text.replace(/"(?:[^"\\]|\\[^])*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  return JSON.parse(quoted);
}
