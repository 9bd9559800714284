import { cleanPng, LogoProblem, SIGNATURE } from './png-logo.pure.js';

/** Bytes. */
export const MAX_LOGO = 64 * 1024;

export type LogoType = 'image/png' | 'image/svg+xml';

/** What a logo that was accepted is: nothing but its bytes decides how it is served. */
export function logoTypeOf(content: Buffer): LogoType {
  return content.subarray(0, SIGNATURE.length).equals(SIGNATURE) ? 'image/png' : 'image/svg+xml';
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const NEITHER = 'it is neither a PNG nor an SVG in UTF-8';

/** An SVG is kept as it is: what it may do is decided where it is served (docs/decisions/0834-serve-svg-logos-as-they-are.md). */
function refuseOtherText(bytes: Buffer): void {
  let text: string;
  try {
    text = utf8.decode(bytes).trimStart();
  } catch {
    throw new LogoProblem(NEITHER);
  }
  if (!text.startsWith('<') || !text.includes('<svg')) throw new LogoProblem(NEITHER);
}

async function clean(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > MAX_LOGO)
    throw new LogoProblem(`it has ${bytes.length} bytes; at most ${MAX_LOGO} are allowed`);
  if (logoTypeOf(bytes) === 'image/png') return cleanPng(bytes);
  refuseOtherText(bytes);
  return bytes;
}

/** The picture as it is stored and served, or why it is refused (specification/applications.md#branding). */
export async function readLogo(bytes: Buffer): Promise<{ content: Buffer } | { reason: string }> {
  try {
    return { content: await clean(bytes) };
  } catch (error) {
    if (error instanceof LogoProblem) return { reason: error.message };
    throw error;
  }
}
