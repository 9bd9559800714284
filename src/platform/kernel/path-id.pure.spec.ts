import { describeForm, describePathId } from './path-id.pure.js';

const ID = '550e8400-e29b-41d4-a716-446655440000';

describe('describeForm', () => {
  it.each([
    ['pct_0123456789', 'a client token. URLs'],
    ['whsec_c2VjcmV0', 'a webhook secret. URLs'],
    ['undefined', 'a missing value'],
    ['NULL', 'a missing value'],
    ['[object Object]', 'a missing value'],
    ['0', 'a missing value'],
    ['{paymentId}', 'a placeholder'],
    [':paymentId', 'a placeholder'],
    ['$PAYMENT_ID', 'a placeholder'],
    ['YOUR_PAYMENT_ID', 'a placeholder'],
    [`https://pay.example/checkout/${ID}`, 'a whole address'],
    [`${ID}?expires=1`, 'a query behind it'],
    [`0x${'a1'.repeat(32)}`, 'hash of a transaction'],
    [`0x${'a1'.repeat(20)}`, 'an address of a blockchain'],
    ['a1'.repeat(32), 'a signature, or the hash'],
    [ID.replaceAll('-', ''), 'without its hyphens'],
    ['v05j0yg1t6143cgkxy3g5ujmitjl69v3', 'the clientId'],
    [ID.toUpperCase(), 'in capitals'],
    ['Zm9yZWlnbi1nYXRld2F5LXRva2VuLW9mLXN0YWdpbmc', 'an access token. URLs'],
  ])('%s: %s', (text, says) => expect(describeForm(text)).toContain(says));

  it.each(['ORDER-1001', 'checkout', '1001', ''])('returns null for "%s"', (text) =>
    expect(describeForm(text)).toBeNull(),
  );
});

describe('describePathId', () => {
  it.each([
    [
      'payment',
      'ORDER-1',
      'A payment id is a UUID (POST /api/payment/checkout returns it as id), and this is not one.',
    ],
    [
      'site',
      'undefined',
      'A site id is a UUID (GET /api/sites lists it as id, and an application shows it as site.id); this looks like the printed form of a missing value.',
    ],
    ['refund', ID, 'You have no refund with this id (GET /api/payment/{paymentId}/refunds lists it as id).'],
  ] as const)('describes a %s id that is %s', (kind, text, hint) =>
    expect(describePathId(kind, text)).toBe(hint),
  );

  it('returns the same text for every well-formed id', () => {
    const other = '019aaf3c-0000-7000-8000-000000000000';
    expect(describePathId('payment', ID)).toBe(describePathId('payment', other));
  });

  it('never repeats the request', () =>
    expect(describePathId('payment', 'pct_secret')).not.toContain('pct_secret'));
});
