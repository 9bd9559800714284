import type { AddressFamily, KeyReading } from '../../../sdk/src/derivation.js';

/** What the catalog says of a blockchain. */
export interface Blockchain {
  name: string;
  family: string;
  enabled: boolean;
  addressRegex: string;
}

export interface Family {
  family: AddressFamily;
  /** The names of its blockchains. */
  names: string[];
}

/** The families that this gateway has blockchains of. */
export function familiesOf(blockchains: readonly Blockchain[]): Family[] {
  const families = new Map<string, string[]>();
  for (const { family, name, enabled } of blockchains)
    if (enabled) families.set(family, [...(families.get(family) ?? []), name]);
  return [...families].map(([family, names]) => ({ family: family as AddressFamily, names }));
}

/**
 * Of all that a key can be, what it is on this gateway: its addresses look like those of a blockchain of the family.
 * Addresses that two networks share are listed once.
 */
export function readingsHere(
  readings: readonly KeyReading[],
  family: string,
  blockchains: readonly Blockchain[],
): KeyReading[] {
  const forms = blockchains
    .filter((one) => one.enabled && one.family === family)
    .map(({ addressRegex }) => new RegExp(addressRegex));
  const isHere = ({ addresses }: KeyReading) =>
    addresses.length > 0 && addresses.every((address) => forms.some((form) => form.test(address)));
  const seen = new Set<string>();
  return readings.filter((reading) => {
    const isNew = isHere(reading) && !seen.has(reading.addresses.join());
    seen.add(reading.addresses.join());
    return isNew;
  });
}
