import type { Standing } from '../payments/payment-moves.pure.js';
import type { PaymentAggregate } from '../payments/payment.pure.js';
import type { AttentionKind } from './attention.pure.js';
import { sumsOf } from './attention-sums.pure.js';

// 25.00 USD, quoted as 25 USDC of 6 places on one network.
const QUOTE = {
  id: 'q1',
  chain: 'base',
  asset: '0xusdc',
  currencyCode: 'USDC',
  assetDecimals: 6,
  assetAmount: 25_000_000n,
  rate: '1',
  lockedAt: new Date(0),
  isLate: false,
  acceptedTransferId: null,
};
const PAID = {
  id: 't1',
  chain: 'base',
  asset: '0xusdc',
  currencyCode: 'USDC',
  assetDecimals: 6,
  amount: 50_000_000n,
  quoteId: 'q1',
  state: 'confirmed',
  isMatched: true,
  isDust: false,
};
const STRAY = { ...PAID, id: 't2', chain: 'ethereum', quoteId: null, isMatched: false, amount: 7_000_000n };

interface Given {
  payment?: object;
  transfers?: object[];
  promised?: bigint;
}

function sums(kind: AttentionKind, { payment, transfers = [PAID], promised = 0n }: Given = {}) {
  const state = {
    payment: { amount: 2_500n, receivedAmount: 5_000n, overpaidAmount: 2_500n, keptAmount: null, ...payment },
    quotes: [QUOTE],
    transfers,
    site: {
      allowOverpay: false,
      allowUnderpay: false,
      underpayToleranceBps: 0,
      underpayLeastShareBps: 9_500,
    },
  };
  const standing = { funds: { receivedAmount: state.payment.receivedAmount }, promised };
  return sumsOf(kind, state as unknown as PaymentAggregate, standing as unknown as Standing);
}

describe('the sums of what needs attention', () => {
  it('has what was asked, what came and what is too much, in the price and in the coin', () => {
    expect(sums('overpaid')).toEqual({
      asked: 2_500n,
      received: 5_000n,
      excess: 2_500n,
      coins: [
        {
          chain: 'base',
          currencyCode: 'USDC',
          decimals: 6,
          asked: 25_000_000n,
          received: 50_000_000n,
          excess: 25_000_000n,
        },
      ],
    });
  });

  it.each<[string, AttentionKind, Given, bigint | null]>([
    ['an overpayment without what refunds promise', 'overpaid', { promised: 1_000n }, 1_500n],
    ['an overpayment without what was kept', 'overpaid', { payment: { keptAmount: 2_000n } }, 500n],
    ['an overpayment that is kept or promised: nothing', 'overpaid', { promised: 2_500n }, null],
    ['more promised than too much: nothing', 'overpaid', { promised: 9_000n }, null],
    ['no overpayment: nothing', 'overpaid', { payment: { overpaidAmount: null } }, null],
    ['the second paid payment: all that is left', 'paid_twice', { promised: 1_000n }, 4_000n],
    ['funds after the end: all that is left', 'funds_after_end', {}, 5_000n],
    ['funds after the end that are promised: nothing', 'funds_after_end', { promised: 5_000n }, null],
    ['a held overpayment', 'overpaid_held', {}, 2_500n],
    ['what is too little', 'underpaid', {}, null],
    ['what was not asked for', 'unmatched_funds', { transfers: [STRAY] }, null],
  ])('has of %s', (_what, kind, given, excess) => expect(sums(kind, given).excess).toBe(excess));

  it('has only what was not asked for, where that is the matter, and never as asked', () => {
    expect(sums('unmatched_funds', { transfers: [PAID, STRAY] }).coins).toEqual([
      {
        chain: 'ethereum',
        currencyCode: 'USDC',
        decimals: 6,
        asked: null,
        received: 7_000_000n,
        excess: null,
      },
    ]);
  });

  it('adds up the transfers of a coin on a network, and leaves out what is not confirmed', () => {
    const half = { ...PAID, amount: 25_000_000n };
    const waiting = { ...half, state: 'pending' };
    const [coin, ...others] = sums('overpaid', { transfers: [half, half, waiting] }).coins;
    expect([coin?.received, others]).toEqual([50_000_000n, []]);
  });
});
