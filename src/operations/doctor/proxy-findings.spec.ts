import { assessProxies } from './proxy-findings.js';

const PROXY = '10.0.0.7';

it.each([
  [
    'a client without a proxy',
    [],
    { peer: '::ffff:203.0.113.9', forwardedFor: undefined },
    'ok',
    'without a proxy',
  ],
  [
    'a trusted proxy that names the client',
    [PROXY],
    { peer: PROXY, forwardedFor: '203.0.113.9' },
    'ok',
    'may say',
  ],
  [
    'a tunnel on the machine itself',
    ['127.0.0.1'],
    { peer: '127.0.0.1', forwardedFor: undefined },
    'ok',
    'without',
  ],
  [
    'a proxy that is not believed',
    [],
    { peer: PROXY, forwardedFor: '203.0.113.9' },
    'warning',
    'does not have',
  ],
  [
    'a trusted proxy that names nobody',
    [PROXY],
    { peer: PROXY, forwardedFor: undefined },
    'warning',
    'without X-F',
  ],
  [
    'a range of private addresses',
    ['10.0.0.0/8'],
    { peer: PROXY, forwardedFor: '203.0.113.9' },
    'ok',
    'may say',
  ],
  ['the whole internet', ['0.0.0.0/0'], { peer: PROXY, forwardedFor: '203.0.113.9' }, 'failure', '0.0.0.0/0'],
  ['the whole internet by IPv6', ['::/0'], { peer: PROXY, forwardedFor: undefined }, 'failure', '::/0'],
  ['half a continent', ['64.0.0.0/4'], { peer: PROXY, forwardedFor: undefined }, 'failure', '64.0.0.0/4'],
  [
    'the networks of a large proxy',
    ['104.16.0.0/13', '2606:4700::/32'],
    { peer: '104.16.0.9', forwardedFor: '203.0.113.9' },
    'ok',
    'may say',
  ],
] as const)('%s', (_title, trusted, arrival, severity, found) => {
  expect(assessProxies(trusted, arrival)).toMatchObject({ severity, found: expect.stringContaining(found) });
});
