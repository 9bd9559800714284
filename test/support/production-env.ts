import { gatewayDatabase, TEST_APP_KEY } from './test-server.js';

const UNLIMITED =
  'READS WRITES USER_READS USER_WRITES PAYMENT ADDRESS POLLS ADDRESS_POLLS TOKEN_ENDPOINT FAILED_AUTH SIGN_IN'.split(
    ' ',
  );

/**
 * What every gateway under load shares: the production profile on loopback, without rate limits.
 * @param databaseUrl as the owner of the schema
 */
export function productionEnv(databaseUrl: string, ratesUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    BASE_URL: 'https://gateway.test',
    ...gatewayDatabase(databaseUrl),
    DATABASE_MIGRATION_URL: databaseUrl,
    DATABASE_POOL_SIZE: '6',
    // The one that the template database was migrated with.
    APP_KEYS: `t1:${TEST_APP_KEY.toString('base64')}`,
    CHECKOUT_SIGNING_KEY: 'test-checkout-signing-key-with-enough-length',
    CHAIN_STALL_BLOCKS: '0',
    WALLET_XPUB_ACCOUNTS: 'all',
    RATES_KRAKEN_URL: `${ratesUrl}/kraken`,
    RATES_COINBASE_URL: `${ratesUrl}/coinbase`,
    ...Object.fromEntries(UNLIMITED.map((name) => [`RATE_LIMIT_${name}`, '0'])),
  };
}
