import { randomBytes } from 'node:crypto';
import { ConfigError, loadConfig } from './config.js';

const ACCOUNT = '0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3';
const ISSUER = { OAUTH_ISSUER: 'https://login.example.com', OAUTH_AUDIENCE: 'gateway' };

const accountsOf = (accounts: string | undefined, env: NodeJS.ProcessEnv = {}) =>
  loadConfig({
    DATABASE_URL: 'postgres:///x',
    APP_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    CHECKOUT_SIGNING_KEY: randomBytes(32).toString('base64url'),
    WALLET_XPUB_ACCOUNTS: accounts,
    ...env,
  }).defaultWalletAccounts;

describe('the accounts that the keys of the operator serve', () => {
  it.each<[string | undefined, NodeJS.ProcessEnv, string[]]>([
    [undefined, {}, ['operators']],
    ['', {}, ['operators']],
    ['all', {}, ['all']],
    [`operators, ${ACCOUNT}`, {}, ['operators', ACCOUNT]],
    ['auth0|7', ISSUER, ['auth0|7']],
  ])('are of %j', (accounts, env, expected) => {
    expect(accountsOf(accounts, env)).toEqual(expected);
  });

  it.each<[string, NodeJS.ProcessEnv]>([
    [',', {}],
    ['operator', {}],
    ['owner@shop.example', {}],
    [ACCOUNT.toUpperCase(), {}],
    ['all,operators', {}],
    ['all,operators', ISSUER],
  ])('are never %j', (accounts, env) => {
    const refused = 'WALLET_XPUB_ACCOUNTS: must be all, or operators and ids of accounts, comma-separated';
    expect(() => accountsOf(accounts, env)).toThrow(new ConfigError([refused]));
  });
});
