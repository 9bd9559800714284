import { fundsOf } from './payment-funds.pure.js';
import type { Payment, PaymentAggregate, Quote, Transfer } from '../payment.pure.js';
import type { Settlement } from '../quotes/settlement.pure.js';

// 100.00 USD, quoted as 1,000,000 units of an asset, so that 0.01% of it is 100 units.
const ASSET = { chain: 'ethereum', asset: 'native' };
const QUOTE = { ...ASSET, id: 'q1', assetAmount: 1_000_000n } as Quote;
const PAYMENT = { amount: 10_000n } as Payment;

const transfer = (amount: bigint, changes: Partial<Transfer> = {}) =>
  ({
    ...ASSET,
    amount,
    floor: 1n,
    state: 'confirmed',
    isMatched: true,
    quoteId: 'q1',
    ...changes,
  }) as Transfer;

interface Given {
  transfers: Transfer[];
  quotes?: Quote[];
  toleranceBps?: number;
  leastShareBps?: number;
}

function read({ transfers, quotes = [QUOTE], toleranceBps = 0, leastShareBps = 1 }: Given) {
  const site = { underpayToleranceBps: toleranceBps, underpayLeastShareBps: leastShareBps };
  return fundsOf({ payment: PAYMENT, transfers, quotes, site: site as PaymentAggregate['site'] });
}

describe('fundsOf', () => {
  it.each<[string, Given, Partial<Settlement>]>([
    [
      'nothing was sent: nothing is covered',
      { transfers: [] },
      { isSeen: false, coverage: 'none', receivedAmount: 0n, underpaidAmount: null, overpaidAmount: null },
    ],
    [
      'the whole quote was sent: paid in full',
      { transfers: [transfer(1_000_000n)] },
      { isSeen: true, isAllConfirmed: true, coverage: 'full', receivedAmount: 10_000n },
    ],
    [
      'two transfers make up the quote: paid in full',
      { transfers: [transfer(400_000n), transfer(600_000n)] },
      { coverage: 'full', receivedAmount: 10_000n },
    ],
    [
      'a unit is missing without a tolerance: short',
      { transfers: [transfer(999_999n)] },
      { coverage: 'short', receivedAmount: 9_999n, underpaidAmount: 1n },
    ],
    [
      'as much is missing as the tolerance of 0.5% allows: paid in full',
      { transfers: [transfer(995_000n)], toleranceBps: 50 },
      { coverage: 'full', receivedAmount: 9_950n, underpaidAmount: null },
    ],
    [
      'a unit more is missing than the tolerance of 0.5% allows: short',
      { transfers: [transfer(994_999n)], toleranceBps: 50 },
      { coverage: 'short', receivedAmount: 9_949n, underpaidAmount: 51n },
    ],
    [
      'nothing was sent and the tolerance is 100%: still nothing is covered',
      { transfers: [], toleranceBps: 10_000 },
      { isSeen: false, coverage: 'none', receivedAmount: 0n },
    ],
    [
      'exactly the minimum of 90% was sent: short, but enough to accept',
      { transfers: [transfer(900_000n)], leastShareBps: 9_000 },
      { coverage: 'short', isLeastShareMet: true },
    ],
    [
      'a unit less than the minimum of 90% was sent: too little to accept',
      { transfers: [transfer(899_999n)], leastShareBps: 9_000 },
      { coverage: 'short', isLeastShareMet: false },
    ],
    [
      'the tolerance allows more than the minimum: paid in full below the minimum',
      { transfers: [transfer(800_000n)], toleranceBps: 2_000, leastShareBps: 9_000 },
      { coverage: 'full', isLeastShareMet: false },
    ],
    [
      'twice the quote was sent: over',
      { transfers: [transfer(2_000_000n)] },
      { coverage: 'over', receivedAmount: 20_000n, overpaidAmount: 10_000n },
    ],
    [
      'the transfer is pending: seen, not covered',
      { transfers: [transfer(1_000_000n, { state: 'pending' })] },
      { isSeen: true, isAllConfirmed: false, coverage: 'none', receivedAmount: 0n },
    ],
    [
      'the transfer was orphaned: not seen',
      { transfers: [transfer(1_000_000n, { state: 'orphaned' })] },
      { isSeen: false, coverage: 'none', receivedAmount: 0n },
    ],
    [
      'the asset was never quoted: not seen',
      { transfers: [transfer(1_000_000n, { isMatched: false, quoteId: null })] },
      { isSeen: false, coverage: 'none', receivedAmount: 0n },
    ],
    [
      'a late transfer waits for its rate: seen, not covered',
      { transfers: [transfer(1_000_000n, { quoteId: null })] },
      { isSeen: true, isAllConfirmed: false, coverage: 'none', receivedAmount: 0n },
    ],
    [
      'each half was sent under its own quote: paid in full',
      {
        transfers: [transfer(500_000n), transfer(7n, { quoteId: 'q2' })],
        quotes: [QUOTE, { ...QUOTE, id: 'q2', assetAmount: 14n }],
      },
      { coverage: 'full', receivedAmount: 10_000n },
    ],
  ])('%s', (_title, given, funds) => {
    expect(read(given)).toMatchObject(funds);
  });

  it.each<[string, Given, bigint]>([
    ['everything when nothing was sent', { transfers: [] }, 1_000_000n],
    ['the rest when a part was sent', { transfers: [transfer(999_000n)] }, 1_000n],
    [
      'nothing when the rest is within the tolerance',
      { transfers: [transfer(999_000n)], toleranceBps: 10 },
      0n,
    ],
    [
      'the whole rest when it exceeds the tolerance',
      { transfers: [transfer(998_999n)], toleranceBps: 10 },
      1_001n,
    ],
    ['nothing while the rest is pending', { transfers: [transfer(1_000_000n, { state: 'pending' })] }, 0n],
  ])('leaves to pay %s', (_title, given, units) => {
    const { numerator, denominator } = read(given).remaining;
    expect((numerator * QUOTE.assetAmount) / denominator).toBe(units);
  });
});
