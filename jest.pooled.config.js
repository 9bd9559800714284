import base from './jest.config.js';

// Of the tests' Postgres, as test/support/test-server.ts reads it.
process.env.TEST_POOL_MODE = 'transaction';

/**
 * What a pooler in transaction mode can break: CI runs these once more through PgBouncer. All tests so:
 * `TEST_POOL_MODE=transaction npm test`.
 */
const REASONS = {
  'chain-watcher': 'leases of chains',
  'deposit-addresses': 'advisory locks of transactions',
  'event-feed-restore': 'positions that several processes hand out',
  'key-rotation': 'a setting that holds for one transaction',
  'payment-story': 'a payment from its creation to the webhook',
  'repository-transactions': 'repositories that join a transaction',
  transactions: 'savepoints, snapshots and repeated transactions',
  webhooks: 'claims with an expiry',
};

/**
 * `npm run test:pooled`
 * @type {import('jest').Config}
 */
export default {
  ...base,
  roots: ['<rootDir>/test'],
  testMatch: Object.keys(REASONS).map((name) => `<rootDir>/test/${name}.e2e-spec.ts`),
};
