import { type Arrival, isLoopback, leadsElsewhere } from './public-name.pure.js';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const LOCAL = new URL('http://localhost:4101');
const PUBLIC = new URL('https://pay.example');

const arrival = (changes: Partial<Arrival> = {}): Arrival => ({
  method: 'GET',
  path: '/dashboard',
  host: '127.0.0.1:4101',
  isForwardedHost: false,
  localPort: 4101,
  isFromThisMachine: true,
  wasMoved: false,
  ...changes,
});

describe('leadsElsewhere', () => {
  it.each([
    '/',
    '/dashboard',
    '/dashboard/',
    '/dashboard/payments',
    `/dashboard/payments/${ID}`,
    `/dashboard/applications/${ID}/wallets`,
    `/checkout/${ID}`,
    `/receipt/${ID}`,
    `/refund/${ID}`,
    '/collector',
    '/verify-address',
  ])('leads the page %s to the public name', (path) => {
    expect(leadsElsewhere(arrival({ path }), LOCAL)).toBe(true);
    expect(leadsElsewhere(arrival({ path, method: 'HEAD' }), LOCAL)).toBe(true);
  });

  it.each([
    '/api/payment',
    '/api/health/live',
    '/api/docs',
    '/api/oauth/authorize',
    '/metrics',
    '/.well-known/oauth-authorization-server',
    '/dashboard/assets/index.js',
    '/dashboard/session',
    `/checkout/${ID}/part`,
    `/checkout/${ID}/events`,
    '/checkout/assets/checkout.js',
    '//evil.example',
    '/elsewhere',
  ])('leaves %s where it is', (path) => {
    expect(leadsElsewhere(arrival({ path }), LOCAL)).toBe(false);
  });

  it.each<[string, boolean, Partial<Arrival>, URL]>([
    ['the public name', false, { host: 'localhost:4101' }, LOCAL],
    ['the public name in capitals', false, { host: 'PAY.example:443' }, PUBLIC],
    ['no name', false, { host: undefined }, LOCAL],
    ['something that is no name', false, { host: 'a@b/c' }, LOCAL],
    ['a form', false, { method: 'POST' }, LOCAL],
    ['a browser that was just led here', false, { wasMoved: true }, LOCAL],
    [
      'another machine, where localhost is itself',
      false,
      { host: '10.0.0.2:4101', isFromThisMachine: false },
      LOCAL,
    ],
    [
      'another machine, to a name of the network',
      true,
      { host: '10.0.0.2:4101', isFromThisMachine: false },
      new URL('http://shop.lan:4101'),
    ],
    ['a proxy that names its upstream', false, { host: '127.0.0.1:3000', localPort: 3000 }, PUBLIC],
    ['a proxy that names a container', false, { host: 'gateway', localPort: 3000 }, PUBLIC],
    ['a proxy that names a service', false, { host: 'gateway.pay.svc.cluster.local' }, PUBLIC],
    ['a proxy that names a host of its network', false, { host: 'backend.internal' }, PUBLIC],
    ['a proxy that names a port', false, { host: 'shop.example:8080' }, PUBLIC],
    ['a proxy that names an address', false, { host: '203.0.113.9' }, PUBLIC],
    ['another name of the shop', true, { host: 'www.pay.example' }, PUBLIC],
    ['another name, through a trusted proxy', true, { host: '203.0.113.9', isForwardedHost: true }, PUBLIC],
    [
      'the public name, through a trusted proxy',
      false,
      { host: 'pay.example', isForwardedHost: true },
      PUBLIC,
    ],
  ])('for %s is %s', (_what, expected, changes, base) => {
    expect(leadsElsewhere(arrival(changes), base)).toBe(expected);
  });
});

it.each([
  ['localhost', true],
  ['pay.localhost', true],
  ['127.0.0.1', true],
  ['127.8.0.1', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['127.0.0.1.example', false],
  ['localhost.example', false],
  ['10.0.0.1', false],
])('%s is this machine: %s', (host, expected) => expect(isLoopback(host)).toBe(expected));
