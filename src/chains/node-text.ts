import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';

/**
 * Reads a response as UTF-8 text. In catch-up it is megabytes, nearly always of ASCII, which decodes several times as
 * fast; decoding chunk by chunk avoids a second copy.
 */
export async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  let decoder: TextDecoder | null = null;
  for await (const chunk of body) {
    // ASCII chunks end with a whole character. A byte order mark counts as such only at the very start.
    if (!decoder && !isAscii(chunk)) decoder = new TextDecoder('utf-8', { ignoreBOM: text !== '' });
    text += decoder ? decoder.decode(chunk, { stream: true }) : chunk.toString('latin1');
  }
  return text + (decoder?.decode() ?? '');
}
