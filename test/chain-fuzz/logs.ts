import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Said of a reorg that was deep enough: a person has to look, and yet nothing is wrong with the gateway. */
const EXPECTED = new Set(['a reorg removed funds of a settled payment']);

/** What the gateways of a folder logged as errors, each text once: the level is for bugs of their own. */
export async function readErrors(folder: string): Promise<string[]> {
  const errors = new Set<string>();
  for (const name of await readdir(folder)) {
    for (const line of (await readFile(path.join(folder, name), 'utf8')).split('\n')) {
      if (!/"level":"(error|fatal)"/.test(line)) continue;
      // A start during which the harness cut the connections to the database; the harness starts it again.
      if (line.includes('"context":"Process"') && line.includes('"isTransient":true')) continue;
      const said = /"msg":"([^"]*)"/.exec(line)?.[1];
      if (said === undefined || !EXPECTED.has(said)) errors.add(line);
    }
  }
  return [...errors];
}
