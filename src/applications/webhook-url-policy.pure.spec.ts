import fc from 'fast-check';
import {
  hostOf,
  isLocalName,
  checkWebhookUrl,
  parseAllowedRanges,
  refusalOfAddress,
  type WebhookUrlPolicy,
  webhookUrlPolicy,
} from './webhook-url-policy.pure.js';

const production: WebhookUrlPolicy = { production: true, allowedRanges: [] };
const development: WebhookUrlPolicy = { production: false, allowedRanges: [] };
const withRanges = (...cidrs: string[]): WebhookUrlPolicy => ({
  production: true,
  allowedRanges: parseAllowedRanges(cidrs),
});
const reasonFor = (url: string, policy: WebhookUrlPolicy = production) => {
  const verdict = checkWebhookUrl(url, policy);
  return verdict.isAllowed ? 'allowed' : verdict.reason;
};

describe('checkWebhookUrl', () => {
  it.each([
    'https://shop.example/hook',
    'https://shop.example:443/hook?key=1',
    'https://shop.example:1024/',
    'https://shop.example:65535/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://[::ffff:8.8.8.8]/',
    'https://127.0.0.1.example/',
    'https://münchen.example/',
  ])('allows %s in production', (url) => {
    expect(reasonFor(url)).toBe('allowed');
  });

  it.each([
    ['', 'the URL cannot be read'],
    ['/hook', 'the URL cannot be read'],
    ['shop.example/hook', 'the URL cannot be read'],
    ['https://', 'the URL cannot be read'],
    ['https://[fe80::1%25eth0]/', 'the URL cannot be read'],
    ['https://[example.com]/', 'the URL cannot be read'],
    ['https://256.1.1.1/', 'the URL cannot be read'],
    ['https://shop.example:99999/', 'the URL cannot be read'],
    ['ftp://shop.example/', 'the URL is neither https nor http'],
    ['file:///etc/passwd', 'the URL is neither https nor http'],
    ['javascript:alert(1)', 'the URL is neither https nor http'],
    ['unix:/var/run/docker.sock', 'the URL is neither https nor http'],
    ['https://good.example@127.0.0.1/', 'the URL carries user information'],
    ['https://user:secret@shop.example/', 'the URL carries user information'],
    ['https://:secret@shop.example/', 'the URL carries user information'],
    ['http://shop.example/', 'the URL is not https'],
    ['https://shop.example:22/', 'port 22 is neither 443 nor above 1023'],
    ['https://shop.example:80/', 'port 80 is neither 443 nor above 1023'],
    ['https://shop.example:0/', 'port 0 is neither 443 nor above 1023'],
    ['https://shop.example:1023/', 'port 1023 is neither 443 nor above 1023'],
  ])('rejects %s in production: %s', (url, reason) => {
    expect(reasonFor(url)).toBe(reason);
  });

  it.each([
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '0x7f.1',
    '0x7f000001',
    '0X7F.0.0.1',
    '017700000001',
    '0177.0.0.1',
    '2130706433',
    '1２7.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127．1',
    '%31%32%37.0.0.1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
  ])('recognizes loopback written as %s', (host) => {
    expect(reasonFor(`https://${host}/`)).toBe('the address is not public (loopback)');
    expect(reasonFor(`http://${host}/`, development)).toBe('allowed');
  });

  it.each(['localhost', 'LOCALHOST', 'localhost.', 'shop.localhost', 'a.b.localhost.', 'ｌｏｃａｌｈｏｓｔ'])(
    'recognizes the name %s as loopback without resolving it',
    (host) => {
      expect(reasonFor(`https://${host}/`)).toBe('the address is not public (loopback)');
      expect(reasonFor(`http://${host}/`, development)).toBe('allowed');
      // One of the two that it means is enough: the resolved address is checked again.
      expect(reasonFor(`https://${host}/`, withRanges('127.0.0.1'))).toBe('allowed');
      expect(reasonFor(`https://${host}/`, withRanges('::1'))).toBe('allowed');
    },
  );

  it.each(['localhost.example', 'notlocalhost', 'localhost-1.example'])(
    'returns no address for the name %s',
    (host) => {
      expect(reasonFor(`https://${host}/`)).toBe('allowed');
    },
  );

  it.each([
    ['http://10.1.2.3:8080/hook', 'allowed'],
    ['http://localhost/hook', 'allowed'],
    ['http://[fd00::1]/hook', 'allowed'],
    ['http://shop.example:22/', 'allowed'],
    ['http://169.254.169.254/latest/meta-data', 'the address is not public (link-local)'],
    ['http://0.0.0.0/', 'the address is not public (unspecified)'],
    ['http://user@localhost/', 'the URL carries user information'],
    ['gopher://localhost/', 'the URL is neither https nor http'],
  ])('in development: %s is %s', (url, expected) => {
    expect(reasonFor(url, development)).toBe(expected);
  });

  it('keeps every part of the URL', () => {
    const verdict = checkWebhookUrl('https://shop.example:8443/a/../b?x=%20#frag', production);
    expect(verdict).toMatchObject({ isAllowed: true });
    expect(verdict.isAllowed && verdict.url.href).toBe('https://shop.example:8443/b?x=%20#frag');
  });
});

it('hostOf removes the brackets of an IPv6 address', () => {
  expect(hostOf(new URL('https://[2606:4700::1111]:8443/'))).toBe('2606:4700::1111');
  expect(hostOf(new URL('https://shop.example/'))).toBe('shop.example');
});

describe('refusalOfAddress', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.255.255.255', 'unspecified'],
    ['10.0.0.0', 'private'],
    ['10.255.255.255', 'private'],
    ['100.64.0.0', 'carrier-grade NAT'],
    ['100.100.100.200', 'carrier-grade NAT'],
    ['100.127.255.255', 'carrier-grade NAT'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', 'cloud metadata'],
    ['169.254.169.254', 'link-local'],
    ['172.16.0.0', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', 'reserved'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4 relay'],
    ['192.168.255.255', 'private'],
    ['198.18.0.0', 'benchmarking'],
    ['198.19.255.255', 'benchmarking'],
    ['198.51.100.7', 'documentation'],
    ['203.0.113.7', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::2', 'reserved'],
    ['::7f00:1', 'reserved'],
    ['::ffff:10.0.0.1', 'private'],
    ['::ffff:a9fe:a9fe', 'link-local'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b:1::1', 'NAT64'],
    ['100::1', 'reserved'],
    ['1fff::1', 'reserved'],
    ['2001::1', 'reserved'],
    ['2001:1ff:ffff::1', 'reserved'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4'],
    ['3fff:0fff::1', 'documentation'],
    ['4000::1', 'reserved'],
    ['5f00::1', 'reserved'],
    ['fc00::1', 'private'],
    ['fd00:ec2::254', 'private'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'reserved'],
    ['ff02::1', 'multicast'],
  ])('%s is %s', (address, name) => {
    expect(refusalOfAddress(address, production)).toBe(`the address is not public (${name})`);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.17',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '::ffff:1.1.1.1',
    '2000::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '3ffe::1',
  ])('%s is public', (address) => {
    expect(refusalOfAddress(address, production)).toBeNull();
  });

  it.each(['', 'shop.example', '1.2.3.4.5', '[::1]', '::1::'])(
    'rejects an invalid IP address: "%s"',
    (text) => {
      expect(refusalOfAddress(text, production)).toBe('the address cannot be read');
      expect(refusalOfAddress(text, development)).toBe('the address cannot be read');
    },
  );

  it('agrees with plain arithmetic on random IPv4 addresses, also when mapped to IPv6', () => {
    const special = (value: number) =>
      [
        [0x00000000, 8],
        [0x0a000000, 8],
        [0x64400000, 10],
        [0x7f000000, 8],
        [0xa83f8110, 32],
        [0xa9fe0000, 16],
        [0xac100000, 12],
        [0xc0000000, 24],
        [0xc0000200, 24],
        [0xc0586300, 24],
        [0xc0a80000, 16],
        [0xc6120000, 15],
        [0xc6336400, 24],
        [0xcb007100, 24],
        [0xe0000000, 4],
        [0xf0000000, 4],
      ].some(
        ([base = 0, bits = 0]) =>
          Math.floor(value / 2 ** (32 - bits)) === Math.floor(base / 2 ** (32 - bits)),
      );
    const dotted = (value: number) =>
      [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (value) => {
        expect(refusalOfAddress(dotted(value), production) !== null).toBe(special(value));
        expect(refusalOfAddress(`::ffff:${dotted(value)}`, production) !== null).toBe(special(value));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('parseAllowedRanges', () => {
  it.each([
    ['10.1.0.0/16', '10.1.2.3', true],
    ['10.1.0.0/16', '10.2.0.1', false],
    ['10.1.0.0/16', '::ffff:10.1.2.3', true],
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['fd00:1::/32', 'fd00:1::5', true],
    ['fd00:1::/32', 'fd00:2::5', false],
    ['::1', '::1', true],
    ['169.254.169.254/32', '169.254.169.254', true],
  ])('%s allows %s: %s', (cidr, address, isAllowed) => {
    expect(refusalOfAddress(address, withRanges(cidr)) === null).toBe(isAllowed);
  });

  it('allow addresses only: https and the allowed ports are still required', () => {
    const policy = withRanges('127.0.0.0/8');
    expect(reasonFor('https://127.0.0.1:8443/', policy)).toBe('allowed');
    expect(reasonFor('http://127.0.0.1:8443/', policy)).toBe('the URL is not https');
    expect(reasonFor('https://127.0.0.1:22/', policy)).toBe('port 22 is neither 443 nor above 1023');
  });

  it.each(['', 'localhost', '10.0.0.0/33', '10.0.0/8', '10.0.0.0/', '::1/129', '10.0.0.0/8/8'])(
    'throws an error that names "%s"',
    (cidr) => {
      expect(() => parseAllowedRanges([cidr])).toThrow(`WEBHOOK_ALLOWED_CIDRS: "${cidr}"`);
    },
  );
});

describe('isLocalName', () => {
  const policy = (production: boolean, cidrs: string[] = []) => webhookUrlPolicy(production, cidrs);
  it.each([
    ['https://shop/hook', policy(true), true],
    ['https://shop./hook', policy(true), true],
    ['https://SHOP:8443', policy(true), true],
    ['https://shop.example/hook', policy(true), false],
    ['https://localhost/hook', policy(true), false],
    ['https://[::1]/hook', policy(true), false],
    ['https://2130706433/', policy(true), false],
    ['https://0.0.0.0.1/', policy(true), false],
    ['https://shop/hook', policy(true, ['10.0.0.0/8']), false],
    ['https://shop/hook', policy(false), false],
  ])('%s, %j: %p', (address, targets, isLocal) => expect(isLocalName(address, targets)).toBe(isLocal));
});
