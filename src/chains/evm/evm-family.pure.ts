import type { ChainConfig } from '../../config-chains.js';
import type { Chain } from '../chain.pure.js';
import type {
  AddressDefect,
  ChainAddress,
  ChainFamily,
  PaymentRequest,
  TransferCall,
  WalletNetwork,
} from '../chain-family.pure.js';
import { apiKeyProblems, esploraProblems, proofOfWorkProblems } from '../family-config.pure.js';
import { evmAddressOfPublicKey, parseEvmAddress, toChecksumAddress } from './evm-address.pure.js';
import { EVM_CHAINS } from './evm-chains.pure.js';

const ADDRESS = '^0x[0-9a-fA-F]{40}$';

export const EVM_FAMILY: ChainFamily = {
  isReadByBlocks: true,
  chains: EVM_CHAINS,
  addresses: { pattern: () => ADDRESS, parse: parseRecipient, ofPublicKey },
  contracts: { format: toChecksumAddress, parse: parseEvmAddress },
  accounts: { coinType: 60, scriptTypes: null, ownPrefixes: [], keyHashSuffix: '' },
  parseTransactionHash,
  paymentUri,
  transferCall,
  // The bare address, not the URI: several wallets take the part of an EIP-681 link before the "/" as the recipient,
  // which for a token is its contract, so the money is lost (MyEtherWallet issues 3056 and 5185, Trust wallet-core
  // issue 4651).
  qrContent: (address) => checksummed(address),
  gatheringProblem: () => null,
  walletNetwork,
  configProblems,
};

/** "0x" and 40 digits of one case carry no checksum (EIP-55); mixed case must have the right one. */
function parseRecipient(text: string): ChainAddress | AddressDefect {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) return 'malformed';
  const key = parseEvmAddress(`0x${text.slice(2)}`);
  if (!key) return 'checksum';
  return key.every((byte) => byte === 0) ? 'unspendable' : { key, address: toChecksumAddress(key) };
}

/** One address on every EVM chain. */
function ofPublicKey(publicKey: Uint8Array): ChainAddress {
  const key = evmAddressOfPublicKey(publicKey);
  return { key, address: toChecksumAddress(key) };
}

function parseTransactionHash(text: string): string | null {
  const hash = text.trim().toLowerCase();
  return /^0x[0-9a-f]{64}$/.test(hash) ? hash : null;
}

/** EIP-681, always with the chain id. */
function paymentUri({ chain, asset, address, amount }: PaymentRequest): string {
  const recipient = checksummed(address);
  if (asset.asset === 'native') return `ethereum:${recipient}@${chain.chainId}?value=${amount}`;
  return `ethereum:${checksummed(asset.asset)}@${chain.chainId}/transfer?address=${recipient}&uint256=${amount}`;
}

/** A token is sent by `transfer(address,uint256)` of its contract (ERC-20). */
function transferCall({ asset, address, amount }: PaymentRequest): TransferCall {
  const recipient = checksummed(address);
  if (asset.asset === 'native') return { to: recipient, data: '0x', value: `0x${amount.toString(16)}` };
  const words = [recipient.slice(2).toLowerCase(), amount.toString(16)].map((word) => word.padStart(64, '0'));
  return { to: checksummed(asset.asset), data: `0xa9059cbb${words.join('')}`, value: '0x0' };
}

/** Named by its code: what EIP-3085 calls the name, wallets show beside the symbol. */
function walletNetwork(
  { name, assets }: Pick<Chain, 'name' | 'assets'>,
  rpcUrls: readonly string[],
): WalletNetwork | null {
  const native = assets.find(({ asset }) => asset === 'native');
  if (rpcUrls.length === 0 || !native) return null;
  const { currencyCode: symbol, decimals } = native;
  return { chainName: name, rpcUrls, nativeCurrency: { name: symbol, symbol, decimals } };
}

function checksummed(address: string): string {
  const bytes = parseEvmAddress(address);
  if (!bytes) throw new Error('not an EVM address');
  return toChecksumAddress(bytes);
}

function configProblems({ name }: Chain, config: ChainConfig): string[] {
  return [
    ...(config.network === undefined ? [] : ['NETWORK: networks of EVM chains differ by CHAIN_ID']),
    ...apiKeyProblems(name, config),
    ...esploraProblems(name, config),
    ...proofOfWorkProblems(name, config),
  ];
}
