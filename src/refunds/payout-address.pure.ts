import type { Chain } from '../chains/chain-catalog.pure.js';
import { parseEvmAddress, toChecksumAddress } from '../chains/evm/evm-address.pure.js';
import { readTronAddress, toTronAddress } from '../chains/tron/tron-address.pure.js';
import { readUtxoAddress } from '../chains/utxo/utxo-address.pure.js';
import { isUtxoNetwork } from '../chains/utxo/utxo-network.pure.js';
import { secretProblem } from '../wallets/pasted-secret.pure.js';

/** Where a refund is to be paid: as people see it, and as a transaction names it. */
export interface PayoutAddress {
  address: string;
  key: Buffer;
}

/** What is wrong with a text that should be an address; never repeats the text, which may be a secret. */
export type AddressProblem = 'secret' | 'malformed' | 'checksum' | 'nobody' | 'token_contract';

/** Sentences without a subject, for API fields and the page alike. */
export const ADDRESS_PROBLEMS: Record<AddressProblem | 'own_address', string> = {
  secret:
    'must be an address, not a private key or recovery words; whoever has those can spend the funds, so never enter them anywhere but in the wallet',
  malformed:
    'must be a valid address of the network that the refund is paid on, complete and without spaces; addresses of other networks and names do not do',
  checksum:
    'must be spelled exactly as the wallet shows it: its checksum is wrong, so a character may be mistyped',
  nobody: 'must be an address that belongs to somebody; what is sent to this one is lost',
  token_contract: 'must be the address of a wallet, not the contract of a token; what is sent there is lost',
  own_address: 'must not be an address on which the shop receives payments',
};

/** "0x" and 40 hex digits of one case carry no checksum (EIP-55); mixed case must have the right one. */
const EVM_SHAPE = /^0x[0-9a-f]{40}$/i;

/** A script that pays the hash of nobody's key. */
const BURNT = /(?:00){20}/;

/** Reads an address of a chain. Whether it is one of ours only the registry knows. */
export function readPayoutAddress(
  chain: Pick<Chain, 'family' | 'assets' | 'network'>,
  text: string,
): PayoutAddress | { problem: AddressProblem } {
  const trimmed = text.trim();
  if (secretProblem(trimmed) !== null) return { problem: 'secret' };
  switch (chain.family) {
    case 'evm': {
      if (!EVM_SHAPE.test(trimmed)) return { problem: 'malformed' };
      const key = parseEvmAddress(`0x${trimmed.slice(2)}`);
      if (!key) return { problem: 'checksum' };
      return accountProblem(chain, key) ?? { address: toChecksumAddress(key), key };
    }
    case 'tron': {
      const key = readTronAddress(trimmed);
      if (typeof key === 'string') return { problem: key };
      return accountProblem(chain, key) ?? { address: toTronAddress(key), key };
    }
    case 'bitcoin':
    case 'litecoin':
    case 'dogecoin':
    case 'bitcoincash': {
      const network = chain.network && isUtxoNetwork(chain.network) ? chain.network : 'mainnet';
      const read = readUtxoAddress(trimmed, chain.family, network);
      if (typeof read === 'string') return { problem: read };
      return BURNT.test(read.key.toString('hex')) ? { problem: 'nobody' } : read;
    }
  }
}

/** Of the 20 bytes of an account. */
function accountProblem({ assets }: Pick<Chain, 'assets'>, key: Buffer): { problem: AddressProblem } | null {
  if (key.every((byte) => byte === 0)) return { problem: 'nobody' };
  const isContract = assets.some(({ asset }) => asset === `0x${key.toString('hex')}`);
  return isContract ? { problem: 'token_contract' } : null;
}

/** The one spelling of a transaction's hash on a chain, or null. */
export function parseTransactionHash({ family }: Pick<Chain, 'family'>, text: string): string | null {
  switch (family) {
    case 'evm': {
      const hash = text.trim().toLowerCase();
      return /^0x[0-9a-f]{64}$/.test(hash) ? hash : null;
    }
    case 'bitcoin':
    case 'litecoin':
    case 'dogecoin':
    case 'bitcoincash':
    case 'tron': {
      const hash = text.trim().toLowerCase();
      return /^[0-9a-f]{64}$/.test(hash) ? hash : null;
    }
  }
}
