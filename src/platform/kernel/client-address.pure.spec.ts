import { addressKey, addressNetwork, clientAddress } from './client-address.pure.js';

describe('addressKey', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    [' 203.0.113.9 ', '203.0.113.9'],
    ['203.0.113.9:41234', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['"203.0.113.9:41234"', '203.0.113.9'],
    ['"[2001:db8:1:2::1]:443"', '2001:db8:1:2::/64'],
    ['\t203.0.113.9\t', '203.0.113.9'],
    ['203.0.113.9:_x', '203.0.113.9'],
    ['[2001:db8:1:2::1]:_gazonk', '2001:db8:1:2::/64'],
    ['[fe80::1%eth0]:443', 'fe80::/64'],
    ['[fe80::1%25eth0]', 'fe80::/64'],
    ['::FFFF:203.0.113.9', '203.0.113.9'],
    ['[::ffff:203.0.113.9]', '203.0.113.9'],
    ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9%eth0', '203.0.113.9'],
  ])('of %s is %s', (text, key) => expect(addressKey(text)).toBe(key));

  it.each([
    undefined,
    '',
    'unknown',
    '_hidden',
    '203.0.113',
    '3405803785',
    '0x7f.1',
    '203.0.113.256',
    '203.0.113.09',
    '203.0.113.9.1',
    '203.0.113.9, 198.51.100.7',
    '1:2:3',
    '[]',
    '2001:db8::/32',
    '_SEVKISEK',
    '"unknown"',
    '203.0.113.9:',
    '203.0.113.9:123456',
    '[2001:db8::1',
    '[203.0.113.9',
    ':443',
  ])('of %p is null', (text) => expect(addressKey(text)).toBeNull());
});

describe('clientAddress', () => {
  const socket = { remoteAddress: '198.51.100.7' };

  it('is the address that Express determined', () =>
    expect(clientAddress({ ip: '203.0.113.9', socket })).toBe('203.0.113.9'));

  it.each([undefined, '', 'x'.repeat(5_000)])('is the address of the peer when Express returns %p', (ip) => {
    expect(clientAddress({ ip, socket })).toBe('198.51.100.7');
  });

  it.each(['unknown', '', '_hidden'])('is that of the last trusted proxy when it wrote %p', (entry) => {
    const ips = [entry, '10.0.0.5:443', '10.0.0.6'];
    expect(clientAddress({ ip: entry, ips, socket })).toBe('10.0.0.5');
    expect(clientAddress({ ip: entry, ips: [entry], socket })).toBe('198.51.100.7');
  });

  it('is a placeholder when the peer has disconnected', () =>
    expect(clientAddress({ socket: {} })).toBe('unknown'));
});

describe('addressNetwork', () => {
  it.each([
    ['203.0.113.9', '203.0.113.0/24'],
    ['203.0.113.255', '203.0.113.0/24'],
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:3::/64', '2001:db8:1::/48'],
    ['::/64', '::/48'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, network) => expect(addressNetwork(address)).toBe(network));
});
