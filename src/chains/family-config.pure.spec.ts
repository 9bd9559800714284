import type { ChainConfig } from '../config-chains.js';
import {
  apiKeyProblems,
  chainIdProblems,
  esploraProblems,
  multiNodeProblems,
  nativeOfferProblems,
  proofOfWorkProblems,
  walletRpcProblems,
} from './family-config.pure.js';

/** Every setting that one of the checks refuses. */
const ALL: Partial<ChainConfig> = {
  rpcUrls: ['http://a.example', 'http://b.example'],
  esploraUrl: 'http://esplora.example',
  chainId: 1,
  apiKey: 'key',
  agreeFrom: [{ code: 'USDC', amount: '1000' }],
  minDifficulty: 1,
  nativeOffer: 'always',
  walletRpcUrls: ['https://public.example'],
};
const NODE = ['http://a.example'];
const [CHAIN_ID, RPC_URL, AGREE_FROM, ESPLORA_URL, MIN_DIFFICULTY, API_KEY] = [
  'CHAIN_ID: Name has none; its networks differ by NETWORK',
  'RPC_URL: Name is read through one node',
  'AGREE_FROM: Name is read through one node',
  'ESPLORA_URL: Name is read by RPC_URL',
  'MIN_DIFFICULTY: blocks of Name hold no work of their own',
  'API_KEY: nodes of Name take no such header; write the key into RPC_URL',
];

type Check = (name: string, config: ChainConfig) => string[];
/** A setting as `undefined` is left out. */
type Case = [title: string, settings: Partial<ChainConfig>, problems: string[]];

function describeCheck(check: Check, cases: Case[]): void {
  describe(check.name, () => {
    it.each<Case>(cases)('%s', (_title, settings, problems) => {
      expect(check('Name', { slug: 'slug', rpcUrls: NODE, ...settings })).toEqual(problems);
    });
  });
}

describeCheck(chainIdProblems, [
  ['accepts a chain without a chain id', {}, []],
  ['accepts every other setting', { ...ALL, chainId: undefined }, []],
  ['refuses a chain id', { chainId: 1 }, [CHAIN_ID]],
  ['refuses a chain id of 0', { chainId: 0 }, [CHAIN_ID]],
]);

describeCheck(multiNodeProblems, [
  ['accepts one node', {}, []],
  ['accepts no node, as beside an Esplora endpoint', { rpcUrls: [] }, []],
  ['accepts every other setting', { ...ALL, rpcUrls: NODE, agreeFrom: undefined }, []],
  ['refuses two nodes', { rpcUrls: [...NODE, 'http://b.example'] }, [RPC_URL]],
  ['refuses the same node twice', { rpcUrls: [...NODE, ...NODE] }, [RPC_URL]],
  ['refuses amounts from which nodes must agree', { agreeFrom: ALL.agreeFrom }, [AGREE_FROM]],
  ['refuses an empty list of such amounts', { agreeFrom: [] }, [AGREE_FROM]],
  ['names both problems at once', ALL, [RPC_URL, AGREE_FROM]],
]);

describeCheck(nativeOfferProblems, [
  ['accepts a chain without a choice', {}, []],
  ['accepts every other setting', { ...ALL, nativeOffer: undefined }, []],
  [
    'refuses a choice',
    { nativeOffer: 'traced' },
    ['NATIVE: every node of Name shows all transfers of its coin'],
  ],
]);

describeCheck(esploraProblems, [
  ['accepts a chain without an Esplora endpoint', {}, []],
  ['accepts every other setting', { ...ALL, esploraUrl: undefined }, []],
  ['refuses an Esplora endpoint', { esploraUrl: ALL.esploraUrl }, [ESPLORA_URL]],
  [
    'refuses an Esplora endpoint in place of a node',
    { esploraUrl: ALL.esploraUrl, rpcUrls: [] },
    [ESPLORA_URL],
  ],
]);

describeCheck(proofOfWorkProblems, [
  ['accepts a chain without a minimum difficulty', {}, []],
  ['accepts every other setting', { ...ALL, minDifficulty: undefined }, []],
  ['refuses a minimum difficulty', { minDifficulty: 1 }, [MIN_DIFFICULTY]],
  ['refuses a minimum difficulty of 0', { minDifficulty: 0 }, [MIN_DIFFICULTY]],
]);

describeCheck(apiKeyProblems, [
  ['accepts a chain without an API key', {}, []],
  ['accepts every other setting', { ...ALL, apiKey: undefined }, []],
  ['refuses an API key, without showing it', { apiKey: 'key' }, [API_KEY]],
]);

describeCheck(walletRpcProblems, [
  ['accepts a chain without an address for wallets', {}, []],
  ['accepts every other setting', { ...ALL, walletRpcUrls: undefined }, []],
  [
    'refuses an address for wallets',
    { walletRpcUrls: ['https://public.example'] },
    ['WALLET_RPC_URL: wallets take no address of Name from a page; only EVM chains have it'],
  ],
]);
