/**
 * Addresses that no webhook may reach, and the ways to write them. The ranges are those of the IANA registries
 * for special-purpose addresses (IPv4, IPv6; RFC 6890 and its updates) and of the clouds' metadata services; they
 * are written down here a second time on purpose, by their first and last addresses.
 */
export const IPV4_RANGES: readonly [name: string, first: string, last: string][] = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private, 10/8', '10.0.0.0', '10.255.255.255'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255'],
  ['metadata, Alibaba', '100.100.100.200', '100.100.100.200'],
  ['loopback', '127.0.0.1', '127.255.255.254'],
  ['metadata, Azure', '168.63.129.16', '168.63.129.16'],
  ['link-local', '169.254.0.0', '169.254.255.255'],
  ['metadata', '169.254.169.254', '169.254.170.2'],
  ['private, 172.16/12', '172.16.0.0', '172.31.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255'],
  ['metadata, Oracle', '192.0.0.192', '192.0.0.192'],
  ['documentation 1', '192.0.2.0', '192.0.2.255'],
  ['6to4 relay', '192.88.99.0', '192.88.99.255'],
  ['private, 192.168/16', '192.168.0.0', '192.168.255.255'],
  ['benchmarking', '198.18.0.0', '198.19.255.255'],
  ['documentation 2', '198.51.100.0', '198.51.100.255'],
  ['documentation 3', '203.0.113.0', '203.0.113.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved', '240.0.0.0', '255.255.255.254'],
  ['broadcast', '255.255.255.255', '255.255.255.255'],
];
export const IPV6_RANGES: readonly [name: string, first: string, last: string][] = [
  ['unspecified', '::', '::'],
  ['loopback', '::1', '::1'],
  ['IPv4-compatible', '::7f00:1', '::ffff:ffff'],
  ['IPv4-translated', '::ffff:0:7f00:1', '::ffff:0:ffff:ffff'],
  ['NAT64', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['NAT64, local', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['discard', '100::', '100::ffff:ffff:ffff:ffff'],
  ['dummy', '100:0:0:1::', '100::1:ffff:ffff:ffff:ffff'],
  ['unassigned, below', '1::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['benchmarking', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['ORCHID', '2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ORCHIDv2', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['drone remote id', '2001:30::', '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation 2', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['unassigned, above', '4000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['private', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['metadata, AWS', 'fd00:ec2::254', 'fd00:ec2::254'],
  ['metadata, Google', 'fd20:ce::254', 'fd20:ce::254'],
  ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

/** What URL parsing makes of a spelling: the address itself, one that carries it, or nothing. */
export type Reading = 'address' | 'carrier' | 'nothing';
export interface Spelling {
  name: string;
  reading: Reading;
  /** A whole URL. @param port at which the canary listens */
  url: (address: string, port: number) => string;
}

/** A spelling of the host alone. */
function host(name: string, reading: Reading, write: (address: string) => string): Spelling {
  return { name, reading, url: (address, port) => `https://${write(address)}:${port}/hook` };
}

const bytes = (address: string) => address.split('.').map(Number) as [number, number, number, number];
const numeric = (address: string) => bytes(address).reduce((sum, byte) => sum * 256 + byte, 0);
const hex = (value: number, digits = 0) => value.toString(16).padStart(digits, '0');
/** The last 32 bits of an IPv6 address. */
const tail = (address: string) => {
  const [a, b, c, d] = bytes(address);
  return `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
};
const inverted = (address: string) =>
  bytes(address)
    .map((byte) => 255 - byte)
    .join('.');
const digitsFrom = (zero: number) => (address: string) =>
  address.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const encoded = (text: string) => Array.from(text, (char) => `%${hex(char.charCodeAt(0), 2)}`).join('');

export const IPV4_SPELLINGS: readonly Spelling[] = [
  host('dotted', 'address', (address) => address),
  host('one number', 'address', (address) => String(numeric(address))),
  host('one number, hexadecimal', 'address', (address) => `0x${hex(numeric(address))}`),
  host('one number, 0X and capitals', 'address', (address) => `0X${hex(numeric(address), 8).toUpperCase()}`),
  host('one number, octal', 'address', (address) => `0${numeric(address).toString(8)}`),
  host('dotted hexadecimal', 'address', (address) =>
    bytes(address)
      .map((byte) => `0x${hex(byte)}`)
      .join('.'),
  ),
  host('dotted octal', 'address', (address) =>
    bytes(address)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  ),
  host('octal with many zeros', 'address', (address) =>
    bytes(address)
      .map((byte) => byte.toString(8).padStart(12, '0'))
      .join('.'),
  ),
  host('mixed bases', 'address', (address) => {
    const [a, b, c, d] = bytes(address);
    return `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`;
  }),
  host('two parts', 'address', (address) => {
    const [a, b, c, d] = bytes(address);
    return `${a}.${(b * 256 + c) * 256 + d}`;
  }),
  host('three parts', 'address', (address) => {
    const [a, b, c, d] = bytes(address);
    return `${a}.${b}.0x${hex(c * 256 + d)}`;
  }),
  host('a dot behind', 'address', (address) => `${address}.`),
  host('one number, a dot behind', 'address', (address) => `${numeric(address)}.`),
  host('full-width digits', 'address', digitsFrom(0xff10)),
  host('mathematical digits', 'address', digitsFrom(0x1d7ce)),
  host('superscript digits', 'address', (address) =>
    address.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit))),
  ),
  host('circled digits', 'address', (address) =>
    address.replace(/\d/g, (digit) => '⓪①②③④⑤⑥⑦⑧⑨'.charAt(Number(digit))),
  ),
  host('ideographic dots', 'address', (address) => address.replaceAll('.', '。')),
  host('full-width dots', 'address', (address) => address.replaceAll('.', '．')),
  host('half-width dots', 'address', (address) => address.replaceAll('.', '｡')),
  host('percent-encoded', 'address', encoded),
  host('percent-encoded dots', 'address', (address) => address.replaceAll('.', '%2e')),
  host('percent-encoded full-width dots', 'address', (address) => address.replaceAll('.', '%EF%BC%8E')),
  host('a soft hyphen inside', 'address', (address) => `${address.slice(0, 1)}\u{AD}${address.slice(1)}`),
  host(
    'a zero-width space inside',
    'address',
    (address) => `${address.slice(0, 1)}\u{200B}${address.slice(1)}`,
  ),
  host('a tab inside', 'address', (address) => `${address.slice(0, 1)}\t${address.slice(1)}`),
  host('a line end inside', 'address', (address) => `${address.slice(0, 1)}\r\n${address.slice(1)}`),
  host('percent-encoded twice', 'nothing', (address) => encoded(encoded(address))),
  host('more than 32 bits', 'nothing', (address) => String(numeric(address) + 2 ** 32)),
  host('a fifth part', 'nothing', (address) => `${address}.1`),
  host('a NUL behind', 'nothing', (address) => `${address}%00`),
  host('brackets around it', 'nothing', (address) => `[${address}]`),
  host('IPv4-mapped', 'carrier', (address) => `[::ffff:${address}]`),
  host('IPv4-mapped, hexadecimal', 'carrier', (address) => `[::FFFF:${tail(address)}]`),
  host('IPv4-mapped, in full', 'carrier', (address) => `[0:0:0:0:0:ffff:${address}]`),
  host('IPv4-compatible', 'carrier', (address) => `[::${address}]`),
  host('IPv4-translated', 'carrier', (address) => `[::ffff:0:${address}]`),
  host('NAT64', 'carrier', (address) => `[64:ff9b::${address}]`),
  host('NAT64, local', 'carrier', (address) => `[64:ff9b:1::${address}]`),
  host('6to4', 'carrier', (address) => `[2002:${tail(address)}::1]`),
  host('Teredo server', 'carrier', (address) => `[2001:0:${tail(address)}::1]`),
  host('Teredo client', 'carrier', (address) => `[2001:0:4136:e378:8000:63bf:${tail(inverted(address))}]`),
  host('ISATAP', 'carrier', (address) => `[fe80::5efe:${address}]`),
  host('IPv4-mapped with a zone', 'nothing', (address) => `[::ffff:${address}%25lo]`),
  host('user information', 'address', (address) => `shop.example@${address}`),
  host('user information with a port', 'address', (address) => `shop.example:443@${address}`),
  host('encoded user information', 'address', (address) => `shop.example%2F@${address}`),
  {
    name: 'a backslash before the path',
    reading: 'address',
    url: (address, port) => `https://${address}:${port}\\@shop.example/hook`,
  },
  {
    name: 'backslashes for slashes',
    reading: 'address',
    url: (address, port) => `https:\\\\${address}:${port}\\hook`,
  },
  {
    name: 'a fragment that looks like a host',
    reading: 'address',
    url: (address, port) => `https://${address}:${port}#@shop.example/`,
  },
  {
    name: 'a query that looks like a host',
    reading: 'address',
    url: (address, port) => `https://${address}:${port}?@shop.example/`,
  },
  { name: 'no slashes', reading: 'address', url: (address, port) => `https:${address}:${port}/hook` },
  { name: 'one slash', reading: 'address', url: (address, port) => `https:/${address}:${port}/hook` },
  { name: 'three slashes', reading: 'address', url: (address, port) => `https:///${address}:${port}/hook` },
  { name: 'capitals', reading: 'address', url: (address, port) => `HTTPS://${address}:${port}/hook` },
  { name: 'spaces around', reading: 'address', url: (address, port) => ` https://${address}:${port}/hook ` },
];

/** All eight groups, without "::". */
function groups(address: string): string[] {
  const [left = '', right] = address.split('::');
  const [head, back] = [left, right ?? ''].map((part) => part.split(':').filter(Boolean));
  if (!head || !back || right === undefined) return address.split(':');
  return [...head, ...Array.from({ length: 8 - head.length - back.length }, () => '0'), ...back];
}

export const IPV6_SPELLINGS: readonly Spelling[] = [
  host('canonical', 'address', (address) => `[${address}]`),
  host('in full', 'address', (address) => `[${groups(address).join(':')}]`),
  host(
    'with leading zeros',
    'address',
    (address) =>
      `[${groups(address)
        .map((group) => group.padStart(4, '0'))
        .join(':')}]`,
  ),
  host('capitals', 'address', (address) => `[${address.toUpperCase()}]`),
  host('an IPv4 tail', 'address', (address) => {
    const all = groups(address);
    const quads = all.slice(6).flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]);
    return `[${all.slice(0, 6).join(':')}:${quads.join('.')}]`;
  }),
  host('user information', 'address', (address) => `shop.example@[${address}]`),
  host('a zone', 'nothing', (address) => `[${address}%25lo]`),
  host('a raw zone', 'nothing', (address) => `[${address}%lo]`),
  host('no brackets', 'nothing', (address) => address),
  host('percent-encoded brackets', 'nothing', (address) => `%5B${address}%5D`),
  host(
    'five digits',
    'nothing',
    (address) =>
      `[0${groups(address)
        .map((group) => group.padStart(4, '0'))
        .join(':')}]`,
  ),
];

/** Names that lead to this machine without asking anybody. */
export const LOCAL_NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'shop.localhost',
  'ｌｏｃａｌｈｏｓｔ',
  '%6cocalhost',
];

/** One address in one spelling. */
export interface SsrfCase {
  range: string;
  spelling: Spelling;
  address: string;
  /** Whether it is the first address of its range. The others are treated the same, so slow tests use only these. */
  isFirst: boolean;
  url: string;
}

/** Every spelling of the first and the last address of every range. */
export function ssrfCases(port: number): SsrfCase[] {
  const families = [
    { label: 'IPv4', ranges: IPV4_RANGES, spellings: IPV4_SPELLINGS },
    { label: 'IPv6', ranges: IPV6_RANGES, spellings: IPV6_SPELLINGS },
  ];
  return families.flatMap(({ label, ranges, spellings }) =>
    ranges.flatMap(([name, first, last]) =>
      [...new Set([first, last])].flatMap((address) =>
        spellings.map((spelling) => ({
          range: `${label} ${name}`,
          spelling,
          address,
          isFirst: address === first,
          url: spelling.url(address, port),
        })),
      ),
    ),
  );
}

/** As URL parsing writes it. */
export function canonical(address: string): string {
  return new URL(`https://${address.includes(':') ? `[${address}]` : address}/`).hostname.replace(
    /^\[|\]$/g,
    '',
  );
}
