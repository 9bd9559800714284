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

describe('CHAIN_<SLUG>_WALLET_RPC_URL', () => {
  const read = (value: string, rpcUrl = 'https://node.example/v2/secret') => {
    const problems: string[] = [];
    const env = { CHAIN_BASE_RPC_URL: rpcUrl, CHAIN_BASE_WALLET_RPC_URL: value };
    const [chain] = readChains(env, true, problems);
    return { urls: chain?.walletRpcUrls, problems };
  };

  it('is off by default, and lists up to four public addresses', () => {
    expect(read('')).toEqual({ urls: undefined, problems: [] });
    expect(read('https://a.example, https://b.example/rpc')).toEqual({
      urls: ['https://a.example', 'https://b.example/rpc'],
      problems: [],
    });
  });

  it.each([
    ['http://a.example', 'must be https'],
    ['nonsense', 'must be an http(s) URL'],
    ['wss://a.example', 'must be an http(s) URL'],
    ['https://user:secret@a.example', 'and public'],
    ['https://a.example?apikey=1', 'and public'],
    ['https://a.example/v3/0123456789abcdef01234567', 'and public'],
    [
      'https://a.example,https://b.example,https://c.example,https://d.example,https://e.example',
      'at most 4',
    ],
  ])('%s is refused: %s', (value, words) => {
    const { problems } = read(value);
    expect(problems).toEqual([expect.stringMatching(/^CHAIN_BASE_WALLET_RPC_URL: /)]);
    expect(problems[0]).toContain(words);
    expect(problems[0]).not.toContain('example');
  });

  it("is not the gateway's own endpoint, whose quota customers would use up", () =>
    expect(read('https://a.example', 'https://a.example').problems).toEqual([
      expect.stringContaining('lists an endpoint of CHAIN_BASE_RPC_URL'),
    ]));
});
