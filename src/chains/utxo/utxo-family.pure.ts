import type { ChainConfig } from '../../config-chains.js';
import { formatDecimal } from '../../money/money.js';
import type { Chain } from '../chain.pure.js';
import type { AddressDefect, ChainAddress, ChainFamily, PaymentRequest } from '../chain-family.pure.js';
import {
  apiKeyProblems,
  chainIdProblems,
  multiNodeProblems,
  nativeOfferProblems,
  walletRpcProblems,
} from '../family-config.pure.js';
import { readUtxoAddress, utxoAddress } from './utxo-address.pure.js';
import { UTXO_CHAINS } from './utxo-chains.pure.js';
import {
  getUtxoNetwork,
  isUtxoNetwork,
  type UtxoFamily,
  type UtxoNetworkName,
  utxoTraits,
} from './utxo-network.pure.js';

/** Base58check of 21 bytes. */
const BASE58_ADDRESS = '[1-9A-HJ-NP-Za-km-z]{26,35}';
/** Letters behind the human-readable part and its separator: BIP173, and the CashAddr specification. */
const BECH32_DATA = '[02-9ac-hj-np-z]';
/** Twenty zero bytes in an output script: the hash of no known key. */
const ZERO_HASH = '00'.repeat(20);

export const UTXO_FAMILIES: Readonly<Record<UtxoFamily, ChainFamily>> = {
  bitcoin: utxoFamily('bitcoin'),
  litecoin: utxoFamily('litecoin'),
  dogecoin: utxoFamily('dogecoin'),
  bitcoincash: utxoFamily('bitcoincash'),
};

function utxoFamily(family: UtxoFamily): ChainFamily {
  const { coinType, scriptTypes, ownPrefixes } = utxoTraits(family);
  return {
    chains: [UTXO_CHAINS[family]],
    isReadByBlocks: false,
    addresses: {
      pattern: (network) => addressPattern(family, networkNamed(family, network)),
      parse: (text, network) => parse(text, family, networkNamed(family, network)),
      ofPublicKey: (publicKey, network, scriptType) => {
        if (scriptType === null) throw new Error(`${family} addresses need a script type`);
        return utxoAddress(publicKey, family, networkNamed(family, network), scriptType);
      },
    },
    contracts: null,
    accounts: { coinType, scriptTypes, ownPrefixes, keyHashSuffix: family },
    parseTransactionHash,
    paymentUri: (request) => paymentUri(family, request),
    qrContent: (address, uri) => uri ?? address,
    transferCall: () => null,
    walletNetwork: () => null,
    gatheringProblem: ({ name }) =>
      family === 'bitcoincash'
        ? `have wallets that read PSBT, and those of ${name} do not: restore the account in Electron Cash, with a gap limit above the last index, and send everything from there`
        : null,
    configProblems: (chain, config) => configProblems(family, chain, config),
  };
}

function networkNamed(family: UtxoFamily, network: string | undefined): UtxoNetworkName {
  return network !== undefined && isUtxoNetwork(family, network) ? network : 'mainnet';
}

function addressPattern(family: UtxoFamily, network: UtxoNetworkName): string {
  const { bech32 } = getUtxoNetwork(family, network);
  if (bech32 === null) return `^${BASE58_ADDRESS}$`;
  if (family === 'bitcoincash') return `^(?:${bech32}:)?(?:${BECH32_DATA}{42}|${BECH32_DATA}{61})$`;
  return `^(?:${BASE58_ADDRESS}|${bech32}1${BECH32_DATA}{38,59})$`;
}

function parse(text: string, family: UtxoFamily, network: UtxoNetworkName): ChainAddress | AddressDefect {
  const read = readUtxoAddress(text, family, network);
  if (typeof read === 'string') return read;
  return read.key.toString('hex').includes(ZERO_HASH) ? 'unspendable' : read;
}

function parseTransactionHash(text: string): string | null {
  const hash = text.trim().toLowerCase();
  return /^[0-9a-f]{64}$/.test(hash) ? hash : null;
}

/** BIP21. */
function paymentUri(family: UtxoFamily, { asset, address, amount }: PaymentRequest): string {
  const { uriScheme } = utxoTraits(family);
  // A cash address already starts with its network's prefix, which is the scheme.
  const isPrefixed = family === 'bitcoincash' && /^(?:bitcoincash|bchtest|bchreg):/.test(address);
  const uri = isPrefixed ? address : `${uriScheme}:${address}`;
  if (!/^[a-z]+:[0-9A-Za-z]+$/.test(uri)) throw new Error('not an address');
  return `${uri}?amount=${formatDecimal(amount, asset.decimals)}`;
}

function configProblems(family: UtxoFamily, { name }: Chain, config: ChainConfig): string[] {
  const { network } = config;
  const isKnown = network === undefined || isUtxoNetwork(family, network);
  const networks = Object.keys(utxoTraits(family).networks);
  return [
    ...chainIdProblems(name, config),
    ...nativeOfferProblems(name, config),
    ...walletRpcProblems(name, config),
    ...multiNodeProblems(name, config),
    ...(isKnown ? [] : [`NETWORK: ${name} has ${networks.join(', ')}`]),
    ...(config.finality === 'finalized' ? [`FINALITY: ${name} is settled by depth`] : []),
    ...apiKeyProblems(name, config),
  ];
}
