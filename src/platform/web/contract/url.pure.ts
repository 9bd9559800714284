/**
 * As `URL.canParse`, which Node 20 answers with false for letters such as ü as soon as V8 has compiled its caller, after
 * some 8,000 calls.
 */
export function canParseUrl(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}
