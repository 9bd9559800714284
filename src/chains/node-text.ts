import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';

/**
 * The text of a node's answer, which is UTF-8. It is megabytes in catch-up, and ASCII nearly always: that is read
 * several times as fast, and piece by piece it is copied once less and leaves the collector no second copy to drop.
 */
export async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  let decoder: TextDecoder | null = null;
  for await (const chunk of body) {
    // What was ASCII so far ended with a whole character. A byte order mark is one only at the very start.
    if (!decoder && !isAscii(chunk)) decoder = new TextDecoder('utf-8', { ignoreBOM: text !== '' });
    text += decoder ? decoder.decode(chunk, { stream: true }) : chunk.toString('latin1');
  }
  return text + (decoder?.decode() ?? '');
}
