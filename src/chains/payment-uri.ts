import type { Chain, ChainAsset } from './chain-catalogue.js';
import { parseEvmAddress, toChecksumAddress } from './evm/evm-address.js';

/** What a wallet is asked to send. */
export interface PaymentRequest {
  chain: Pick<Chain, 'chainId'>;
  asset: Pick<ChainAsset, 'asset'>;
  /** Where to, as people see it. */
  address: string;
  /** Smallest unit of the asset on this chain, > 0. */
  amount: bigint;
}

/**
 * The link behind the QR code (EIP-681, api.md D4), always with the chain id and plain integer digits.
 * Wallets let people change what it says, and some ignore parts of it: a convenience, never a fact.
 */
export function paymentUri({ chain, asset, address, amount }: PaymentRequest): string {
  if (amount <= 0n) throw new Error('a payment URI asks for more than nothing');
  const recipient = checksummed(address);
  if (asset.asset === 'native') return `ethereum:${recipient}@${chain.chainId}?value=${amount}`;
  return `ethereum:${checksummed(asset.asset)}@${chain.chainId}/transfer?address=${recipient}&uint256=${amount}`;
}

function checksummed(address: string): string {
  const bytes = parseEvmAddress(address);
  if (!bytes) throw new Error('not an EVM address');
  return toChecksumAddress(bytes);
}
