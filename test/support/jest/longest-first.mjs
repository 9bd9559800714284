import { statSync } from 'node:fs';

/** The longest ones, at their start; the rest of the order is by size, which says nothing of these. */
const LONG = [
  'authorization.',
  'dashboard-',
  'checkout-story.',
  'audit-manipulations.',
  'pay-screen.',
  'chain-engine-',
  'reorg-depths-utxo.',
  'refund-page.',
  'checkout-page',
  'demo-environment.',
  'demo-postgres.',
  'two-tenants.',
  'query-plans.',
  'utxo-story.',
  'reconciliation-',
  'idempotency-faults.',
  'rate-limits.',
];

function rank(path) {
  const at = LONG.findIndex((start) => path.includes(`/${start}`));
  if (at >= 0) return at;
  return path.endsWith('.e2e-spec.ts') ? LONG.length : LONG.length + 1;
}

/** Longest first, so that the workers end together; always in the same order, whatever ran here before. */
export default class LongestFirst {
  sort(tests) {
    const known = tests.map((test) => ({ test, rank: rank(test.path), size: statSync(test.path).size }));
    return known.toSorted((a, b) => a.rank - b.rank || b.size - a.size).map(({ test }) => test);
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}
