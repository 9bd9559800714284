import { type DnsAnswer, inOrder, isIpv6First, resolveDnsAnswers } from './dns-answers.pure.js';

const addresses = (...all: string[]): DnsAnswer => ({ addresses: all });
const code = (text: string): DnsAnswer => ({ code: text });

describe('resolveDnsAnswers', () => {
  it.each<[string, DnsAnswer, DnsAnswer, string[]]>([
    [
      'both families',
      addresses('192.0.2.1', '192.0.2.2'),
      addresses('2001:db8::1'),
      ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
    ],
    ['IPv4 alone', addresses('192.0.2.1'), code('ENODATA'), ['192.0.2.1']],
    ['IPv6 alone', code('ENODATA'), addresses('2001:db8::1'), ['2001:db8::1']],
    ['IPv4, and silence', addresses('192.0.2.1'), code('ECANCELLED'), ['192.0.2.1']],
    ['IPv6, and an error', code('ESERVFAIL'), addresses('2001:db8::1'), ['2001:db8::1']],
    ['IPv6, and an empty answer', addresses(), addresses('2001:db8::1'), ['2001:db8::1']],
  ])('returns the addresses of %s', (_what, v4, v6, expected) => {
    const verdict = resolveDnsAnswers('shop.example', v4, v6);
    expect(verdict.kind === 'found' && verdict.addresses).toEqual(
      expected.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  });

  it.each<[string, DnsAnswer, DnsAnswer, string, string]>([
    ['shop.example', code('ENOTFOUND'), code('ENOTFOUND'), 'elsewhere', 'ENOTFOUND'],
    ['shop.example', code('ENODATA'), code('ENODATA'), 'elsewhere', 'ENOTFOUND'],
    ['shop.example', code('ENOTFOUND'), code('ECANCELLED'), 'elsewhere', 'ENOTFOUND'],
    ['shop.example', code('ENODATA'), addresses(), 'elsewhere', 'ENOTFOUND'],
    ['shop.example', addresses(), addresses(), 'elsewhere', 'ENOTFOUND'],
    ['shop.example', code('EBADNAME'), code('EBADNAME'), 'elsewhere', 'ENOTFOUND'],
    ['shop.example', code('ECANCELLED'), code('ECANCELLED'), 'failed', 'EAI_AGAIN'],
    ['shop.example', code('ETIMEOUT'), code('ETIMEOUT'), 'failed', 'EAI_AGAIN'],
    ['shop.example', code('ENODATA'), code('ETIMEOUT'), 'failed', 'EAI_AGAIN'],
    ['shop.example', code('ESERVFAIL'), code('ESERVFAIL'), 'failed', 'EAI_AGAIN'],
    ['shop.example', code('EREFUSED'), code('EREFUSED'), 'failed', 'EAI_AGAIN'],
    ['shop.example', code('EBADRESP'), code('EBADRESP'), 'failed', 'EAI_AGAIN'],
    ['shop.example', code('ECONNREFUSED'), code('ECONNREFUSED'), 'elsewhere', 'EAI_AGAIN'],
    ['shop', code('ESERVFAIL'), code('ESERVFAIL'), 'elsewhere', 'EAI_AGAIN'],
    ['printer.local', code('EREFUSED'), code('EREFUSED'), 'elsewhere', 'EAI_AGAIN'],
    ['local.example', code('EREFUSED'), code('EREFUSED'), 'failed', 'EAI_AGAIN'],
  ])('for %s with %j and %j returns %s, %s', (name, v4, v6, kind, expected) => {
    expect(resolveDnsAnswers(name, v4, v6)).toMatchObject({ kind, error: { code: expected } });
  });
});

describe('the order of addresses', () => {
  it.each<[string, string[], boolean]>([
    ['ipv4first', ['2600::1'], false],
    ['ipv6first', ['10.0.0.1'], true],
    ['verbatim', ['10.0.0.1', '2600::1'], true],
    ['verbatim', ['10.0.0.1'], false],
    ['verbatim', ['::1', 'fe80::2000:1', 'fd00::1', '203.0.113.7'], false],
    ['verbatim', [], false],
  ])('%s with %j: IPv6 first is %s', (order, own, expected) => {
    expect(isIpv6First(order, own)).toBe(expected);
  });

  const mixed = [
    { address: '192.0.2.2', family: 4 },
    { address: '2001:db8::2', family: 6 },
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ];
  it.each([
    [true, ['2001:db8::2', '2001:db8::1', '192.0.2.2', '192.0.2.1']],
    [false, ['192.0.2.2', '192.0.2.1', '2001:db8::2', '2001:db8::1']],
  ])('keeps the order within each family (IPv6 first: %s)', (ipv6First, expected) => {
    expect(inOrder(mixed, ipv6First).map(({ address }) => address)).toEqual(expected);
  });
});
