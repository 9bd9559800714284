// Holds the lockfile to what is agreed (scripts/supply-chain.mjs): one registry, exact versions, a hash for every package,
// no programs at install time but known ones, known licences only.
//   npm run lockfile
import { readFileSync } from 'node:fs';
import { billOfMaterials, lockfileProblems, materialProblems } from './supply-chain.mjs';

const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
const lock = read('package-lock.json');
const problems = [
  ...lockfileProblems(read('package.json'), lock),
  ...materialProblems(billOfMaterials(lock, () => true)),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
