import { randomBytes } from 'node:crypto';
import { readChains } from './config-chains.js';
import { loadConfig } from './config.js';

const WITHOUT_CHAINS = {
  NODE_ENV: 'production',
  BASE_URL: 'https://pay.example.com',
  DATABASE_URL: 'postgres://127.0.0.1/gateway',
  APP_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
};

it.each([undefined, '', 'false'])('production needs a chain: START_WITHOUT_CHAINS=%s', (value) => {
  expect(() => loadConfig({ ...WITHOUT_CHAINS, START_WITHOUT_CHAINS: value })).toThrow(
    'CHAIN_<SLUG>_RPC_URL: at least one chain is required, e.g. CHAIN_ETHEREUM_RPC_URL',
  );
});

it('production starts without one where START_WITHOUT_CHAINS is true', () => {
  expect(loadConfig({ ...WITHOUT_CHAINS, START_WITHOUT_CHAINS: 'true' }).chains).toEqual([]);
});

it('refuses another word than true or false', () => {
  expect(() => loadConfig({ ...WITHOUT_CHAINS, START_WITHOUT_CHAINS: 'yes' })).toThrow(
    'START_WITHOUT_CHAINS',
  );
});

it('a chain that is named is read all the same', () => {
  const problems: string[] = [];
  const environment = { CHAIN_POLYGON_RPC_URL: 'https://rpc.example.com', START_WITHOUT_CHAINS: 'true' };
  expect(readChains(environment, false, problems).map(({ slug }) => slug)).toEqual(['polygon']);
  expect(problems).toEqual([]);
});
