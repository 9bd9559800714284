import { createReadStream } from 'node:fs';
import type { PublicSigningKey } from '../../platform/kernel/signing-key.pure.js';
import { ArchiveVerifier, type Flaw, type Verified } from './archive-format.pure.js';

const LINE_FEED = 0x0a;

/** Whether a file is an archive as a gateway with one of the keys has written it; reads it once, a line at a time. */
export async function verifyArchive(
  file: string,
  keys: readonly PublicSigningKey[],
): Promise<Flaw | Verified> {
  const verifier = new ArchiveVerifier(keys);
  // Of one line, which may be spread over many chunks.
  let parts: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let to = chunk.indexOf(LINE_FEED); to !== -1; to = chunk.indexOf(LINE_FEED, from)) {
      const flaw = verifier.next(Buffer.concat([...parts, chunk.subarray(from, to)]));
      if (flaw) return flaw;
      parts = [];
      from = to + 1;
    }
    parts.push(chunk.subarray(from));
  }
  return verifier.end(Buffer.concat(parts));
}
