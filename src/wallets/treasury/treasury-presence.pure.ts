import type { AddressPresence, Chain } from '../../chains/chain.pure.js';

/** The token at an address, on any of the chains; null: none that they list. @param key 20 bytes */
export function tokenAt(key: Buffer, chains: readonly Pick<Chain, 'name' | 'assets'>[]): string | null {
  const asset = `0x${key.toString('hex')}`;
  for (const { name, assets } of chains) {
    const token = assets.find((one) => one.asset.toLowerCase() === asset);
    if (token) return `${token.currencyCode} on ${name}`;
  }
  return null;
}

/**
 * A contract that is on one chain only loses what is collected on the others: whoever made it here need not be able to
 * make it there. A wallet is no contract anywhere.
 * @returns the problem, which continues a sentence about the field, or else the chains that nobody could be asked about
 */
export function describePresence(found: readonly AddressPresence[]): {
  problem: string | null;
  unknown: string[];
} {
  const namesWhere = (is: boolean | null) =>
    found.filter(({ isContract }) => isContract === is).map(({ name }) => name);
  const [contracts, plain] = [namesWhere(true), namesWhere(false)];
  const problem =
    contracts.length > 0 && plain.length > 0
      ? `must be there on every chain: it is a contract, as a Safe is, on ${contracts.join(', ')} and not on ${plain.join(', ')}; ` +
        'activate the Safe there first, or use another address'
      : null;
  return { problem, unknown: namesWhere(null) };
}
