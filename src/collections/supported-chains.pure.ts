import type { Chain } from '../chains/chain.pure.js';

/** Why nothing can be prepared on a chain, and how the money is reached, in words that follow the field; null: it can. */
export function unsupportedProblem({ family, name }: Pick<Chain, 'family' | 'name'>): string | null {
  switch (family) {
    case 'bitcoin':
    case 'litecoin':
    case 'dogecoin':
    case 'evm':
      return null;
    case 'bitcoincash':
      return `must have wallets that read PSBT, and those of ${name} do not: restore the account in Electron Cash, with a gap limit above the last index, and send everything from there`;
    case 'tron':
      return `must be one of bitcoin, litecoin, dogecoin and the EVM chains: on ${name} each address is reached in the wallet that the key is of, by its path (GET …/holdings/addresses), and pays its own fees`;
  }
}
