import type { ChainConfig } from '../../config-chains.js';
import type { Chain } from '../chain.pure.js';
import type { AddressDefect, ChainAddress, ChainFamily } from '../chain-family.pure.js';
import { evmAddressOfPublicKey } from '../evm/evm-address.pure.js';
import {
  chainIdProblems,
  esploraProblems,
  multiNodeProblems,
  proofOfWorkProblems,
  nativeOfferProblems,
  walletRpcProblems,
} from '../family-config.pure.js';
import { parseTronContract, readTronAddress, toTronAddress } from './tron-address.pure.js';
import { TRON } from './tron-chains.pure.js';
import { isTronNetwork, tronGenesisId } from './tron-network.pure.js';

/** Base58check of 0x41 and 20 bytes. */
const ADDRESS = '^T[1-9A-HJ-NP-Za-km-z]{33}$';

export const TRON_FAMILY: ChainFamily = {
  isReadByBlocks: true,
  chains: [TRON],
  addresses: { pattern: () => ADDRESS, parse, ofPublicKey },
  contracts: { format: toTronAddress, parse: parseTronContract },
  accounts: { coinType: 195, scriptTypes: null, ownPrefixes: [], keyHashSuffix: 'tron' },
  parseTransactionHash,
  // Wallets agree on no link.
  paymentUri: () => null,
  // What is signed names a recent block, and is worthless after a minute (java-tron's documentation, "TAPOS").
  transferCall: () => null,
  qrContent: (address) => address,
  walletNetwork: ({ network }) =>
    network !== undefined && isTronNetwork(network) ? { genesis: tronGenesisId(network) } : null,
  gatheringProblem: ({ name }) =>
    `be one of bitcoin, litecoin, dogecoin and the EVM chains: on ${name} each address is reached in the wallet that the key is of, by its path (GET …/holdings/addresses), and pays its own fees`,
  configProblems,
};

function parse(text: string): ChainAddress | AddressDefect {
  const key = readTronAddress(text);
  if (typeof key === 'string') return key;
  return key.every((byte) => byte === 0) ? 'unspendable' : { key, address: toTronAddress(key) };
}

/** The same 20 bytes as on EVM chains, in another spelling (java-tron's documentation, "Account"). */
function ofPublicKey(publicKey: Uint8Array): ChainAddress {
  const key = evmAddressOfPublicKey(publicKey);
  return { key, address: toTronAddress(key) };
}

function parseTransactionHash(text: string): string | null {
  const hash = text.trim().toLowerCase();
  return /^[0-9a-f]{64}$/.test(hash) ? hash : null;
}

function configProblems({ name }: Chain, config: ChainConfig): string[] {
  const { network } = config;
  const isKnown = network === undefined || isTronNetwork(network);
  return [
    ...chainIdProblems(name, config),
    ...nativeOfferProblems(name, config),
    ...walletRpcProblems(name, config),
    ...multiNodeProblems(name, config),
    ...(isKnown ? [] : [`NETWORK: ${name} has mainnet, nile and shasta`]),
    ...esploraProblems(name, config),
    ...proofOfWorkProblems(name, config),
  ];
}
