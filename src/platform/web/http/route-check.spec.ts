import { literalness } from './route-check.js';

/** Of two templates that fit one path, the one that counts comes first. */
const PAIRS: [string, string][] = [
  ['/api/payment/checkout', '/api/payment/:paymentId'],
  ['/api/account/invitations/accept', '/api/account/invitations/:invitationId'],
  ['/checkout/assets/:script', '/checkout/:paymentId/choose'],
  ['/dashboard/assets/:asset', '/dashboard/:screen/:item'],
  ['/api/checkout/refund/:refundId', '/api/checkout/:paymentId/payment-methods'],
];

describe('the more literal of two templates', () => {
  it.each(PAIRS)('is %s, not %s', (more, less) => {
    expect(literalness(more) > literalness(less)).toBe(true);
  });

  it('is neither where only the names of their parameters differ', () => {
    expect(literalness('/api/payment/:id')).toBe(literalness('/api/payment/:paymentId'));
  });
});
