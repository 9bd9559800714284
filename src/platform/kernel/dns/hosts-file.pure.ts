import { isAddress } from './ip-address.pure.js';

/** Addresses by name, both as written but in lower case, in the order of the file. */
export type Hosts = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the text of a hosts file as the system's resolver does (hosts(5)): an address and its names on a line, `#`
 * begins a comment, a name on several lines has all their addresses. Lines without a complete address are skipped.
 */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    if (!isAddress(address)) continue;
    for (const name of names) {
      const addresses = hosts.get(name) ?? [];
      if (!addresses.includes(address)) hosts.set(name, [...addresses, address]);
    }
  }
  return hosts;
}
