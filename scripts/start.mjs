// Runs a program of dist/ in this very process, so that there is one pid to signal; builds it first when it is missing
// or older than the sources, if it can (scripts/build.mjs).
//   node scripts/start.mjs              the gateway: `npm start`
//   node scripts/start.mjs cli verify   the command line: `npm run cli -- verify`
//
// A Node that is too old must be able to parse it, to print a clear message: so there are no static imports of our
// own files, and no syntax beyond that of Node 14.
import { readFileSync } from 'fs';

const numbers = (version) => version.match(/\d+/g).map(Number);
const isOlder = ([major, minor], [wantedMajor, wantedMinor]) =>
  major < wantedMajor || (major === wantedMajor && minor < wantedMinor);

function fail(error) {
  console.error(error.message);
  process.exit(1);
}

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const wanted = numbers(engines.node);
if (isOlder(numbers(process.versions.node), wanted)) {
  fail(new Error(`Node.js ${wanted[0]}.${wanted[1]} or newer is needed; this is ${process.versions.node}.`));
}

const [program = 'main', ...args] = process.argv.slice(2);
const built = `dist/src/${program}.js`;
const file = new URL(`../${built}`, import.meta.url);
process.argv = [process.argv[0], decodeURIComponent(file.pathname), ...args];

// The OpenID library calls Node 20 unsupported when it is loaded; every test of ours runs on it (README, Requirements).
const { warn } = console;
console.warn = (...words) => {
  if (!/oidc-provider.*Unsupported runtime/.test(words[0])) warn(...words);
};

void import('./build.mjs')
  .then(({ buildIfStale }) => buildIfStale(built))
  .catch(fail)
  .then(() => import(file.href));
