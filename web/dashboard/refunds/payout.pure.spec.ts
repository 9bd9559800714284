import { PAYOUT_LEFT_OUT } from '../../../src/payouts/left-out.pure.js';
import { REPORT_REFUSALS, REFUND_STATUSES } from '../../../src/refunds/refund-status.pure.js';
import { canJoin, isSelectable, REASONS, sumsOf } from './payout.pure.js';

it('has a sentence for each reason that the gateway gives, and no other', () => {
  expect(Object.keys(REASONS).sort()).toEqual([...new Set([...PAYOUT_LEFT_OUT, ...REPORT_REFUSALS])].sort());
});

it('selects what waits for the merchant and has an address', () => {
  const selectable = REFUND_STATUSES.filter((status) => isSelectable({ status, address: '0x01' }));
  expect(selectable).toEqual(['AWAITING_PAYMENT', 'FAILED']);
  expect(isSelectable({ status: 'AWAITING_PAYMENT', address: null })).toBe(false);
});

it.each([
  ['the first', [], true],
  ['one of the same', [{ blockchain: 'ethereum', paymentApplicationId: 'a' }], true],
  ['one of another network', [{ blockchain: 'polygon', paymentApplicationId: 'a' }], false],
  ['one of another application', [{ blockchain: 'ethereum', paymentApplicationId: 'b' }], false],
])('joins %s: %j, %p', (_name, picked, joins) => {
  expect(canJoin({ blockchain: 'ethereum', paymentApplicationId: 'a' }, picked)).toBe(joins);
});

it('adds up by coin', () => {
  const of = (code: string, atomic: string) =>
    ({ payoutAmount: { atomic, decimals: 6, currency: { code } }, token: null }) as never;
  expect(
    sumsOf([of('USDC', '2'), of('ETH', '5'), of('USDC', '3')]).map(({ atomic, currency }) => [
      currency.code,
      atomic,
    ]),
  ).toEqual([
    ['USDC', '5'],
    ['ETH', '5'],
  ]);
});
