import { cleanPng, SIGNATURE } from './png-logo.pure.js';
import { cleanSvg } from './svg-logo.pure.js';
import { LogoProblem } from './xml-parser.pure.js';

/** Bytes. */
export const MAX_LOGO = 64 * 1024;

export type LogoType = 'image/png' | 'image/svg+xml';

/** What a logo that was accepted is: nothing but its bytes decides how it is served. */
export function logoTypeOf(content: Buffer): LogoType {
  return content.subarray(0, SIGNATURE.length).equals(SIGNATURE) ? 'image/png' : 'image/svg+xml';
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function clean(bytes: Buffer): Buffer {
  if (bytes.length > MAX_LOGO)
    throw new LogoProblem(`it has ${bytes.length} bytes; at most ${MAX_LOGO} are allowed`);
  if (logoTypeOf(bytes) === 'image/png') return cleanPng(bytes);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new LogoProblem('it is neither a PNG nor an SVG in UTF-8');
  }
  if (!/^\s*</.test(text)) throw new LogoProblem('it is neither a PNG nor an SVG in UTF-8');
  const written = Buffer.from(cleanSvg(text), 'utf8');
  if (written.length > MAX_LOGO)
    throw new LogoProblem(`it has more than ${MAX_LOGO} bytes when it is written plainly`);
  return written;
}

/** The picture as it is stored and served, or why it is refused (specification/applications.md#branding). */
export function readLogo(bytes: Buffer): { content: Buffer } | { reason: string } {
  try {
    return { content: clean(bytes) };
  } catch (error) {
    if (error instanceof LogoProblem) return { reason: error.message };
    throw error;
  }
}
