// Fails on an image or an action that is not pinned to its content (scripts/pins.mjs). .github/dependabot.yml moves the pins.
//   npm run pins
import { readdirSync, readFileSync } from 'node:fs';
import { pinProblems } from './pins.mjs';

const inRoot = (file) => new URL(`../${file}`, import.meta.url);
const WORKFLOWS = '.github/workflows/';
const files = [
  'Dockerfile',
  'compose.yaml',
  'compose.scale.yaml',
  ...readdirSync(inRoot(WORKFLOWS)).map((name) => WORKFLOWS + name),
];
const problems = pinProblems(new Map(files.map((file) => [file, readFileSync(inRoot(file), 'utf8')])));
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
