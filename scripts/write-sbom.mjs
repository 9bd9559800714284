// Prints the bill of materials of what is installed here, as CycloneDX; fails on a package without a hash or license.
//   npm run --silent sbom > sbom.json
import { existsSync, readFileSync } from 'node:fs';
import { billOfMaterials, materialProblems } from './supply-chain.mjs';

const inRoot = (file) => new URL(`../${file}`, import.meta.url);
const lock = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
const bill = billOfMaterials(lock, (path) => existsSync(inRoot(`${path}/package.json`)));
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
for (const problem of materialProblems(bill)) {
  console.error(problem);
  process.exitCode = 1;
}
