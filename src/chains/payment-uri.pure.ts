import type { Chain, ChainAsset } from './chain-catalog.pure.js';
import { formatDecimal } from '../money/money.js';
import { parseEvmAddress, toChecksumAddress } from './evm/evm-address.pure.js';
import { utxoTraits } from './utxo/utxo-network.pure.js';

/** What a wallet is asked to send. */
export interface PaymentRequest {
  chain: Pick<Chain, 'family' | 'chainId'>;
  asset: Pick<ChainAsset, 'asset' | 'decimals'>;
  /** Where to, as people see it. */
  address: string;
  /** Smallest unit of the asset on this chain, > 0. */
  amount: bigint;
}

/**
 * The link that wallets open (EIP-681, BIP21, specification/checkout.md#payment-uri-and-qr-code): exact digits, on EVM
 * chains always with the chain id. Wallets let people change what it says, and some ignore parts of it: a convenience,
 * never a fact. Null on Tron, whose wallets agree on no such link.
 */
export function paymentUri(request: PaymentRequest): string | null {
  const { chain, asset, address, amount } = request;
  if (amount <= 0n) throw new Error('a payment URI asks for more than nothing');
  if (chain.family === 'evm') return evmUri(request);
  if (chain.family === 'tron') return null;
  const { uriScheme } = utxoTraits(chain.family);
  // A cash address brings its network's prefix along, which is the scheme.
  const isPrefixed = chain.family === 'bitcoincash' && /^(?:bitcoincash|bchtest|bchreg):/.test(address);
  const uri = isPrefixed ? address : `${uriScheme}:${address}`;
  if (!/^[a-z]+:[0-9A-Za-z]+$/.test(uri)) throw new Error('not an address');
  return `${uri}?amount=${formatDecimal(amount, asset.decimals)}`;
}

/**
 * What a QR code holds (specification/checkout.md#payment-uri-and-qr-code). On EVM chains and Tron the bare address:
 * several wallets take the part of an EIP-681 link before the "/" for the recipient, which for a token is its contract,
 * and the money is gone (MyEtherWallet issues 3056 and 5185, Trust wallet-core issue 4651).
 * @param uri what {@link paymentUri} made of it; null: nothing may be asked for
 */
export function qrContent({ family }: Pick<Chain, 'family'>, address: string, uri: string | null): string {
  if (family === 'evm') return checksummed(address);
  if (family === 'tron') return address;
  return uri ?? address;
}

function evmUri({ chain, asset, address, amount }: PaymentRequest): string {
  const recipient = checksummed(address);
  if (asset.asset === 'native') return `ethereum:${recipient}@${chain.chainId}?value=${amount}`;
  return `ethereum:${checksummed(asset.asset)}@${chain.chainId}/transfer?address=${recipient}&uint256=${amount}`;
}

function checksummed(address: string): string {
  const bytes = parseEvmAddress(address);
  if (!bytes) throw new Error('not an EVM address');
  return toChecksumAddress(bytes);
}
