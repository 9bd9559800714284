import type { Amount, Transaction } from '../../../sdk/src/api-types.js';
import { getCurrency } from '../../money/currencies.js';
import { presentAmount } from '../../money/present-amount.js';
import { orderWords } from './order-words.pure.js';

const usd = (cents: bigint) => presentAmount(cents, getCurrency('USD')) as Amount;

function transfer(cents: bigint, more: Partial<Transaction> = {}): Transaction {
  return {
    id: 't1',
    txHash: '0x1',
    blockchain: 'ethereum',
    currencyCode: 'USDC',
    amount: presentAmount(cents * 10_000n, getCurrency('USDC')) as Amount,
    creditedAmount: usd(cents),
    confirmations: 3,
    confirmationsRequired: 12,
    finality: null,
    status: 'PENDING',
    late: false,
    matched: true,
    acceptable: false,
    acceptedAt: null,
    seenAt: '2026-01-15T10:04:12Z',
    confirmedAt: null,
    explorerUrl: null,
    ...more,
  };
}

type Order = Parameters<typeof orderWords>[0];
const order = (more: Partial<Order> = {}): Order => ({
  status: 'OPEN',
  expired: false,
  currencyCode: 'USD',
  amount: usd(2_500n),
  receivedAmount: usd(0n),
  overpaidAmount: null,
  underpaidAmount: null,
  reviewReason: null,
  transactions: [],
  ...more,
});

describe('orderWords', () => {
  it.each<[string, Partial<Order>, string, string, RegExp, string, string[]]>([
    ['nothing was seen', {}, 'calm', 'Waiting for the customer', /Nothing was seen/, '$0.00', []],
    ['the link has ended', { expired: true }, 'bad', 'The link has ended', /Nothing was paid/, '$0.00', []],
    [
      'half of it was seen',
      { status: 'FOUND', transactions: [transfer(1_250n)] },
      'warn',
      '$12.50 is still missing',
      /A part was seen. Confirming: 3 of 12 blocks/,
      '$12.50',
      [],
    ],
    [
      'all of it was seen, and the later transfer has to wait longer',
      { status: 'FOUND', transactions: [transfer(1_250n), transfer(1_250n, { confirmations: 1 })] },
      'calm',
      'Seen, confirming',
      /Confirming: 1 of 12 blocks/,
      '$25.00',
      [],
    ],
    [
      'its block was taken back',
      { status: 'FOUND', transactions: [transfer(2_500n, { status: 'ORPHANED', confirmations: 0 })] },
      'warn',
      '$25.00 is still missing',
      /waits to be mined again/,
      '$0.00',
      [],
    ],
    [
      'a replaced transaction counts once',
      { status: 'FOUND', transactions: [transfer(2_500n, { status: 'REPLACED' }), transfer(2_500n)] },
      'calm',
      'Seen, confirming',
      /3 of 12/,
      '$25.00',
      [],
    ],
    [
      'less is final',
      {
        status: 'UNDERPAID',
        underpaidAmount: usd(1_250n),
        transactions: [transfer(1_250n, { status: 'CONFIRMED' })],
      },
      'warn',
      '$12.50 is missing',
      /Why is this order not paid/,
      '$12.50',
      ['Accept it as it is', 'Refund'],
    ],
    ['it is final', { status: 'RECEIVED' }, 'good', 'Paid', /being told/, '$0.00', []],
    [
      'the shop knows',
      { status: 'CONFIRMED' },
      'good',
      'Paid, and the shop knows',
      /on its way/,
      '$0.00',
      ['Refund'],
    ],
    [
      'too much was paid, which the shop takes',
      { status: 'CONFIRMED', overpaidAmount: usd(250n) },
      'good',
      'Paid, and the shop knows',
      /\$2\.50 more than the price/,
      '$0.00',
      ['Refund'],
    ],
    [
      'too much was paid, which the shop must decide',
      { status: 'RECEIVED', overpaidAmount: usd(250n), reviewReason: 'overpaid' },
      'warn',
      'Too much arrived',
      /\$2\.50 is more/,
      '$0.00',
      ['Accept it as it is', 'Refund'],
    ],
    [
      'a reorganization took it',
      { status: 'OPEN', reviewReason: 'reorg' },
      'warn',
      'Blocks were taken back',
      /mined again/,
      '$0.00',
      [],
    ],
    [
      'money came after the end',
      { status: 'CANCELLED', reviewReason: 'funds_after_cancel' },
      'warn',
      'Money came after the end',
      /pay back/,
      '$0.00',
      ['Refund'],
    ],
    [
      'it went to another network',
      { transactions: [transfer(2_500n, { matched: false, acceptable: true, blockchain: 'base' })] },
      'warn',
      'Money came another way than asked for',
      /on base reached/,
      '$0.00',
      ['Accept 25.000000 USDC on base'],
    ],
    ['it was paid back', { status: 'REFUND' }, 'calm', 'Paid back', /paid back/, '$0.00', []],
    ['the shop cancelled it', { status: 'CANCELLED' }, 'bad', 'Cancelled', /cancelled/, '$0.00', []],
    ['it failed', { status: 'ERROR' }, 'bad', 'Processing failed', /error/, '$0.00', []],
  ])('%s', (_name, changes, tone, state, why, seen, labels) => {
    const words = orderWords(order(changes));
    expect(words).toMatchObject({ tone, state, seen, why: expect.stringMatching(why) as string });
    expect(words.actions.map(({ label }) => label)).toEqual(labels);
  });

  it.each<[string, Transaction[], boolean]>([
    ['nothing', [], false],
    ['half', [transfer(1_250n)], true],
    ['all', [transfer(1_250n), transfer(1_250n)], false],
    ['more', [transfer(2_600n)], false],
  ])('when %s was seen, the drawer offers the rest only if it is due', (_name, transactions, expected) => {
    expect(orderWords(order({ transactions })).isPartlyPaid).toBe(expected);
  });

  it('the button of funds on another network names the transfer', () => {
    const stray = transfer(2_500n, { matched: false, acceptable: true, id: 't7' });
    expect(orderWords(order({ transactions: [stray] })).actions[0]).toMatchObject({
      transferId: 't7',
      path: 'accept',
    });
  });
});
