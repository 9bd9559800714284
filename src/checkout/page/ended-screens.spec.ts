import { getCurrency } from '../../money/currencies.js';
import { presentAmount } from '../../money/present-amount.js';
import type { PaymentStatus } from '../../payments/payment-status.pure.js';
import type { ReturnableFundsContract } from '../../refunds/refund-request.contract.js';
import { ADDRESS, TRANSACTION, UNMATCHED, viewOf } from '../../../test/support/payment-view.js';
import { endedScreen } from './ended-screens.js';
import type { PageAccess } from './page-access.pure.js';
import { type PaymentView, withoutDetails } from './screen.js';

const RECEIPT = 'https://pay.example.com/receipt/550e8400-e29b-41d4-a716-446655440000?expires=1&signature=ab';
const usd = presentAmount(500n, getCurrency('USD'));
const returnable = (type: ReturnableFundsContract['type'], claimUrl: string | null = null) => ({
  type,
  transferId: null,
  amount: usd,
  payoutAmount: TRANSACTION.amount,
  blockchain: { slug: 'ethereum', name: 'Ethereum', chainId: 1, testnet: false },
  status: claimUrl === null ? null : ('AWAITING_ADDRESS' as const),
  claimUrl,
});

/** As the service makes it: for `state` without details. */
function viewFor(
  access: PageAccess,
  status: PaymentStatus,
  changes: Partial<PaymentView> = {},
  more: Partial<PaymentView['status']> = {},
): PaymentView {
  const view = viewOf(status, { access, transactions: [TRANSACTION], ...changes });
  Object.assign(view.status, { expired: true, ...more });
  return access === 'state' ? withoutDetails(view) : view;
}

const STATES: [string, PaymentStatus, Partial<PaymentView>, string, string][] = [
  ['nothing came', 'OPEN', {}, 'expired', 'This payment link has expired'],
  ['taken back', 'OPEN', { isTakenBack: true }, 'taken-back', 'The network has dropped your payment'],
  ['something else came', 'OPEN', { unmatched: UNMATCHED }, 'stray', 'Sent on the wrong network'],
  ['seen', 'FOUND', {}, 'found', 'Don’t pay again.'],
  ['half seen', 'FOUND', { isShort: true }, 'found-short', '$40.00 is still missing'],
  ['half paid', 'UNDERPAID', { isShort: true }, 'underpaid', '$40.00 is still missing'],
  ['paid', 'RECEIVED', {}, 'paid', 'Payment complete'],
  ['paid and acknowledged', 'CONFIRMED', {}, 'paid', 'Payment complete'],
  ['overpaid', 'CONFIRMED', { overpaid: usd }, 'paid', 'You sent $5.00 too much.'],
  ['cancelled', 'CANCELLED', {}, 'cancelled', 'Payment cancelled'],
  ['failed', 'ERROR', {}, 'error', 'This payment can’t continue'],
  ['sent back', 'REFUND', {}, 'refund', 'Refunded'],
];

describe.each(['look', 'state'] as const)('after the end of the link, for whoever may see "%s"', (access) => {
  it.each(STATES)('%s: leads with the money', (_what, status, changes, name, words) => {
    const screen = endedScreen(viewFor(access, status, changes));
    const text = screen.body.text.replace(/<\/?bdi[^>]*>/g, '').replace(/\s+/g, ' ');
    expect([screen.name, screen.httpStatus]).toEqual([name, name === 'expired' ? 403 : undefined]);
    if (name !== 'refund') expect(text).toContain(words);
    const [, heading = ''] = /<h1[^>]*>(.*?)<\/h1>/.exec(text) ?? [];
    expect(/expired/i.test(heading + screen.title + screen.announcement)).toBe(name === 'expired');
    // Nothing that pays or chooses.
    expect(text).not.toMatch(/id="copy-a|role="img"|id="wallet|\/choose|choose=|data-ends/);
    expect(text).not.toContain(ADDRESS);
    expect(text).not.toMatch(/Please send the rest|Pay again/);
    // Transactions only for whoever saw them before.
    if (access === 'state') expect(text).not.toMatch(/0xabab|etherscan/);
    else if (!['expired', 'stray'].includes(name)) expect(text).toContain(TRANSACTION.txHash);
    expect(text.includes('not the details')).toBe(access === 'state' && name !== 'expired');
  });

  it.each([
    ['half seen', 'FOUND', 0n, 4_000n, ['$60.00']],
    ['a part confirmed, more seen', 'FOUND', 2_500n, 4_000n, ['$35.00']],
    ['half confirmed', 'UNDERPAID', 6_000n, 4_000n, []],
    ['dust beside', 'UNDERPAID', 6_001n, 4_000n, []],
  ] as const)('%s: says what is being confirmed', (_what, status, received, remaining, expected) => {
    const amountOf = (cents: bigint) => presentAmount(cents, getCurrency('USD'));
    const sums = { receivedAmount: amountOf(received), remainingAmount: amountOf(remaining) };
    const view = viewFor(access, status, { isShort: true }, { amount: amountOf(10_000n), ...sums });
    const text = endedScreen(view).body.text.replace(/<\/?bdi[^>]*>/g, '');
    const found = [...text.matchAll(/Being confirmed<\/th>\s*<td[^>]*>([^<]*)/g)].map(([, amount]) => amount);
    expect(found).toEqual(expected);
  });

  it('a paid payment has its receipt', () => {
    const screen = endedScreen(viewFor(access, 'CONFIRMED', {}, { receiptUrl: RECEIPT }));
    expect(screen.body.text).toContain('id="receipt"');
  });

  it.each([
    ['half paid', 'UNDERPAID', 'UNDERPAYMENT', null],
    [
      'asked back',
      'UNDERPAID',
      'UNDERPAYMENT',
      'https://pay.example.com/refund/x?expires=1&signature=secret',
    ],
    ['overpaid', 'RECEIVED', 'OVERPAYMENT', null],
    ['closed', 'CANCELLED', 'UNEXPECTED', null],
  ] as const)('%s: money can be asked back only by whoever saw it', (_what, status, type, claimUrl) => {
    const changes = { isShort: status === 'UNDERPAID', overpaid: status === 'RECEIVED' ? usd : null };
    const view = viewFor(access, status, changes, { returnable: [returnable(type, claimUrl)] });
    const isOffered = /refund-request|\/refund\//.test(endedScreen(view).body.text);
    expect(isOffered).toBe(access === 'look');
  });
});
