import { createHash } from 'node:crypto';
import path from 'node:path';

/** The longest ones, at their start. */
const LONG = [
  'authorization.',
  'dashboard-',
  'checkout-story.',
  'audit-manipulations.',
  'pay-screen.',
  'chain-engine-',
  'refund-page.',
  'checkout-page',
  'two-tenants.',
  'utxo-story.',
  'reconciliation-',
  'idempotency-faults.',
  'rate-limits.',
];

function rank(file) {
  const at = LONG.findIndex((start) => file.includes(`/${start}`));
  if (at >= 0) return at;
  return file.endsWith('.e2e-spec.ts') ? LONG.length : LONG.length + 1;
}

/** The place of a file among its equals, which no file may depend on: another one for each seed. */
const place = (file, seed) => createHash('sha256').update(`${seed} ${file}`).digest('hex');

/** Longest first, so that the workers end together; otherwise shuffled by the seed that jest prints. */
export default class LongestFirst {
  #seed;

  constructor({ globalConfig }) {
    this.#seed = globalConfig.seed;
  }

  sort(tests) {
    const root = process.cwd();
    const known = tests.map((test) => ({
      test,
      rank: rank(test.path),
      place: place(path.relative(root, test.path), this.#seed),
    }));
    return known
      .toSorted((a, b) => a.rank - b.rank || a.place.localeCompare(b.place))
      .map(({ test }) => test);
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}
