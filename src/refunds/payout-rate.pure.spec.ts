import type { Quote, Transfer } from '../payments/payment.pure.js';
import {
  findPayoutRate,
  mainPaidAsset,
  ownRate,
  type PayoutAsset,
  payoutAmountFor,
} from './payout-rate.pure.js';

const ETH: PayoutAsset = { chain: 'ethereum', asset: 'native', currencyCode: 'ETH', decimals: 18 };
const USDT: PayoutAsset = { chain: 'ethereum', asset: '0xusdt', currencyCode: 'USDT', decimals: 6 };
const USDT_BSC: PayoutAsset = { ...USDT, chain: 'bsc', asset: '0xbsc', decimals: 18 };
const LOCKED = new Date('2026-01-15T10:00:00Z');

function quote(id: string, asset: PayoutAsset, assetAmount: bigint, rate: string, minutes = 0): Quote {
  return {
    id,
    ...asset,
    assetDecimals: asset.decimals,
    assetAmount,
    rate,
    rateSource: 'kraken',
    settlementRate: null,
    isLate: false,
    acceptedTransferId: null,
    lockedAt: new Date(LOCKED.getTime() + minutes * 60_000),
    expiresAt: LOCKED,
  };
}

/** The fields that rates depend on. */
function transfer(quoteId: string | null, amount: bigint, more: Partial<Transfer> = {}): Transfer {
  return { quoteId, amount, state: 'confirmed', isMatched: true, ...more } as Transfer;
}

describe('the paid rate', () => {
  const q = quote('q', ETH, 5n * 10n ** 16n, '2000');
  const facts = (transfers: Transfer[], quotes = [q]) => ({ due: 10_000n, quotes, transfers });

  it('pays out every unit for the whole amount, and the exact part for a part of it', () => {
    const rate = findPayoutRate(facts([transfer('q', q.assetAmount)]), ETH);
    if (!rate) throw new Error('no rate');
    expect(rate).toMatchObject({ units: q.assetAmount, worth: 10_000n, rate: '2000', lockedAt: LOCKED });
    expect(payoutAmountFor(10_000n, rate)).toBe(q.assetAmount);
    expect(payoutAmountFor(2_500n, rate)).toBe(q.assetAmount / 4n);
    expect(payoutAmountFor(1n, rate)).toBe(5n * 10n ** 12n);
  });

  it('pays out an odd sum completely, and never more than that in parts', () => {
    const odd = 16_666_666_666_666_667n;
    const rate = findPayoutRate(facts([transfer('q', odd)]), ETH);
    if (!rate) throw new Error('no rate');
    expect(rate.worth).toBe(3_333n);
    expect(payoutAmountFor(3_333n, rate)).toBe(odd);
    const parts = [1n, 1_000n, 2_332n].map((amount) => payoutAmountFor(amount, rate));
    expect(parts.reduce((sum, part) => sum + part, 0n)).toBeLessThanOrEqual(odd);
  });

  it('combines the quotes of one asset exactly, and shows the rate of the newest', () => {
    const late = quote('late', ETH, 10n ** 17n, '1000', 60);
    const rate = findPayoutRate(
      facts([transfer('q', 10n ** 16n + 1n), transfer('late', 2n * 10n ** 16n)], [q, late]),
      ETH,
    );
    expect(rate).toMatchObject({ units: 30_000_000_000_000_001n, worth: 4_000n, rate: '1000' });
  });

  it('ignores pending, orphaned and unmatched funds', () => {
    const transfers = [
      transfer('q', 1n, { state: 'pending' }),
      transfer('q', 1n, { state: 'orphaned' }),
      transfer('q', 1n, { isMatched: false }),
      transfer(null, 1n),
    ];
    expect(findPayoutRate(facts(transfers), ETH)).toMatchObject({ units: q.assetAmount, worth: 10_000n });
    expect(mainPaidAsset(facts(transfers))).toBeNull();
  });

  it('is one smallest unit for dust', () => {
    expect(findPayoutRate(facts([transfer('q', 1n)]), ETH)).toMatchObject({ units: 1n, worth: 1n });
  });
});

describe('the rate of another asset', () => {
  const eth = quote('eth', ETH, 5n * 10n ** 16n, '2000');
  const usdt = quote('usdt', USDT, 100_000_000n, '1');

  it("is the rate of the same coin on another network, in that network's unit", () => {
    const facts = { due: 10_000n, quotes: [usdt], transfers: [transfer('usdt', 50_000_000n)] };
    expect(findPayoutRate(facts, USDT_BSC)).toMatchObject({ units: 50n * 10n ** 18n, worth: 5_000n });
  });

  it('is that of the newest quote if the asset was not paid', () => {
    const newer = quote('newer', USDT, 101_000_000n, '0.99', 5);
    const facts = { due: 10_000n, quotes: [usdt, newer, eth], transfers: [transfer('eth', 1n)] };
    expect(findPayoutRate(facts, USDT)).toMatchObject({ units: 101_000_000n, worth: 10_000n, rate: '0.99' });
  });

  it('is null if the payment has none', () => {
    const facts = { due: 10_000n, quotes: [eth], transfers: [transfer('eth', eth.assetAmount)] };
    expect(findPayoutRate(facts, USDT)).toBeNull();
  });

  it('is 1 in the pricing coin, whatever its decimals on the network', () => {
    expect(payoutAmountFor(5_000_000n, ownRate(6, USDT_BSC, LOCKED))).toBe(5n * 10n ** 18n);
    expect(payoutAmountFor(5_000_000n, ownRate(6, USDT, LOCKED))).toBe(5_000_000n);
  });
});

it('a refund defaults to the asset in which most of the funds arrived', () => {
  const quotes = [quote('eth', ETH, 5n * 10n ** 16n, '2000'), quote('usdt', USDT, 100_000_000n, '1')];
  const transfers = [transfer('eth', 2n * 10n ** 16n), transfer('usdt', 60_000_000n)];
  expect(mainPaidAsset({ due: 10_000n, quotes, transfers })).toEqual(USDT);
  expect(mainPaidAsset({ due: 10_000n, quotes, transfers: transfers.slice(0, 1) })).toEqual(ETH);
  expect(mainPaidAsset({ due: 10_000n, quotes: [], transfers: [] })).toBeNull();
});
