import ipaddr from 'ipaddr.js';

/** An address in full. Not `127.1`, `0x7f.0.0.1` or `010.0.0.1`, which programs interpret differently. */
export function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

/** As URLs name this machine. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
