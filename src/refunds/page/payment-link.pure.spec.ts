import { paymentLink, paymentParameter } from './payment-link.pure.js';

const ID = '550e8400-e29b-41d4-a716-446655440000';

describe('paymentLink', () => {
  it('leads back with the link that the customer had, and nothing more', () => {
    const parameter = paymentParameter(ID, '?expires=1&signature=ab&choose=1&seen=x&lang=fr&paid=1');
    expect(parameter).toBe(`${ID}?expires=1&signature=ab&seen=x`);
    expect(paymentLink(parameter, null)).toBe(`../checkout/${ID}?expires=1&signature=ab&seen=x`);
    expect(paymentLink(parameter, 'de')).toBe(`../checkout/${ID}?expires=1&signature=ab&seen=x&lang=de`);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no text', [`${ID}?signature=ab`]],
    ['another website', 'https://evil.example/?signature=ab'],
    ['another path', `../../${ID}?signature=ab`],
    ['a path behind the payment', `${ID}/../../admin?signature=ab`],
    ['no signature', `${ID}?expires=1`],
    ['no query', ID],
    ['nothing in it', ''],
  ])('leads nowhere with %s', (_what, parameter) => {
    expect(paymentLink(parameter, null)).toBeNull();
  });
});
