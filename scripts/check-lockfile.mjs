// Holds the lockfiles to what is agreed (scripts/supply-chain.mjs): one registry, exact versions, a hash for every package,
// no programs at install time but known ones, known licenses only. The same for the packages of test/spectral/ and, but
// for the licenses, of test/harness/nextjs/ and test/hardhat/.
//   npm run lockfile
import { readFileSync } from 'node:fs';
import { billOfMaterials, lockfileProblems, materialProblems } from './supply-chain.mjs';

const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
const lock = read('package-lock.json');
/** Installed by test/harness/spectral.mjs alone. */
const SPECTRAL = 'test/spectral/';
const spectral = read(`${SPECTRAL}package-lock.json`);
/** A merchant's packages, as test/harness/nextjs.mjs installs them; nothing of them is shipped. */
const NEXTJS = 'test/harness/nextjs/';
/** Installed by test/harness/providers.mjs alone, which runs no program of theirs; keccak would compile itself. */
const HARDHAT = 'test/hardhat/';
const problems = [
  ...lockfileProblems(read('package.json'), lock),
  ...materialProblems(billOfMaterials(lock, () => true)),
  ...[
    ...lockfileProblems(read(`${SPECTRAL}package.json`), spectral),
    ...materialProblems(billOfMaterials(spectral, () => true)),
  ].map((problem) => `${SPECTRAL}${problem}`),
  ...lockfileProblems(read(`${NEXTJS}package.json`), read(`${NEXTJS}package-lock.json`)).map(
    (problem) => `${NEXTJS}${problem}`,
  ),
  ...lockfileProblems(read(`${HARDHAT}package.json`), read(`${HARDHAT}package-lock.json`))
    .filter((problem) => !/^node_modules\/keccak [\d.]+: runs a program/.test(problem))
    .map((problem) => `${HARDHAT}${problem}`),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
