// Harnesses that walk the development profile, one after the other on one profile, which takes some 20 seconds to start.
//   node test/harness/profile.mjs                   those of WALKS
//   node test/harness/profile.mjs pay nextjs        some of them; each also runs alone
import { addCounts, expect } from './checks.mjs';
import { runOnProfile, withProfile } from './development.mjs';

/** The last one takes back blocks that hold the payments of the others. */
const WALKS = ['tour', 'first-run', 'shop', 'pay'];
const wanted = process.argv.slice(2);

await withProfile('profile', async ({ dataDir }) => {
  for (const name of wanted.length > 0 ? wanted : WALKS) {
    process.stdout.write(`-- ${name}\n`);
    const output = await runOnProfile(`${name}.mjs`, dataDir);
    const [, passed, failed] = /^(\d+) passed, (\d+) failed\n$/m.exec(output) ?? [];
    expect(passed !== undefined, `${name} did not end`);
    addCounts(Number(passed), Number(failed));
  }
});
