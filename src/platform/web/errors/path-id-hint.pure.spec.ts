import { GatewayError, NotFoundError } from '../../kernel/errors/errors.pure.js';
import { withPathIdHint } from './path-id-hint.pure.js';

const hintOf = (error: unknown) => (error instanceof GatewayError ? error.extra.hint : undefined);

describe('withPathIdHint', () => {
  it.each([
    ['payment_not_found', 'paymentId', 'A payment id is a UUID'],
    ['payment_application_not_found', 'id', 'A payment application id is a UUID'],
    ['refund_not_found', 'refundId', 'A refund id is a UUID'],
    ['not_found', 'siteId', 'A site id is a UUID'],
    ['not_found', 'tokenId', 'A client token id is a UUID'],
    ['not_found', 'deliveryId', 'A webhook delivery id is a UUID'],
  ] as const)('%s: describes the id in {%s}', (code, parameter, hint) => {
    const error = new NotFoundError(code, 'Not found');
    expect(hintOf(withPathIdHint(error, { [parameter]: 'x' }))).toContain(hint);
  });

  it.each([
    [
      'a path without that parameter',
      new NotFoundError('payment_not_found', 'Payment not found'),
      { id: 'x' },
    ],
    ['a parameter of a wildcard', new NotFoundError(), { siteId: ['x'] }],
    ['an error that has a hint', new NotFoundError('not_found', 'Not found', 'See there.'), { siteId: 'x' }],
    ['another error', new GatewayError('bad_request', 'Bad request'), { siteId: 'x' }],
    ['no error of ours', new TypeError('x'), { siteId: 'x' }],
  ])('leaves %s as it is', (_case, error, params) => {
    expect(withPathIdHint(error, params)).toBe(error);
  });
});
