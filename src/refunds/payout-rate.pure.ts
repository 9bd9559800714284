import { mulDivFloor, pow10, rescale } from '../money/money.js';
import type { Quote, Transfer } from '../payments/payment.pure.js';

/** An asset on a chain; `decimals` are those of this chain. */
export interface PayoutAsset {
  chain: string;
  /** 'native' or the token contract in lower case. */
  asset: string;
  currencyCode: string;
  decimals: number;
}

/** `units` of an asset are worth `worth` of the pricing currency; both in smallest units and positive. */
export interface PayoutRate {
  units: bigint;
  worth: bigint;
  /** Pricing currency for one whole coin, decimal text. This and `lockedAt` are of the newest quote that was used. */
  rate: string;
  lockedAt: Date;
}

/** A payment's price, quotes and transfers. */
export interface PaidFacts {
  /** Smallest unit of the pricing currency. */
  due: bigint;
  quotes: readonly Quote[];
  transfers: readonly Transfer[];
}

/** Returns the asset in which most of the funds came, by worth; null when no counted transfer exists. */
export function mainPaidAsset(facts: PaidFacts): PayoutAsset | null {
  const assets = facts.quotes.map(assetOf);
  const worths = assets.map((asset) => ({ asset, worth: paidRate(facts, asset)?.worth ?? 0n }));
  const [best] = worths.toSorted((a, b) => (a.worth === b.worth ? 0 : a.worth > b.worth ? -1 : 1));
  return best && best.worth > 0n ? best.asset : null;
}

/**
 * Returns the rate of a payout in `asset`, from this payment alone: the rate at which the asset was paid; else that of
 * the same coin on another network; else that of the newest quote of the asset; else null.
 */
export function findPayoutRate(facts: PaidFacts, asset: PayoutAsset): PayoutRate | null {
  const paid = paidRate(facts, asset);
  if (paid) return paid;
  for (const other of facts.quotes.map(assetOf).filter((one) => one.currencyCode === asset.currencyCode)) {
    const rate = paidRate(facts, other);
    const units = rate ? rescale(rate.units, other.decimals, asset.decimals, 'down') : 0n;
    if (rate && units > 0n) return { ...rate, units };
  }
  const quote = newest(facts.quotes.filter((one) => isSame(assetOf(one), asset)));
  return quote && { units: quote.assetAmount, worth: facts.due, rate: quote.rate, lockedAt: quote.lockedAt };
}

/** The rate 1, for a payment that is priced in the coin that is paid out. */
export function ownRate(pricedDecimals: number, asset: PayoutAsset, lockedAt: Date): PayoutRate {
  return { units: pow10(asset.decimals), worth: pow10(pricedDecimals), rate: '1', lockedAt };
}

/** Rounded down, so that refunds never pay out more units than came in; a full refund pays out every unit. */
export function payoutAmountFor(amount: bigint, { units, worth }: PayoutRate): bigint {
  return mulDivFloor(amount, units, worth);
}

/**
 * The confirmed units of an asset and the amount that they were credited with, rounded down as the received amount of
 * the payment is; at least one smallest unit, so that dust has a rate, too.
 */
function paidRate({ due, quotes, transfers }: PaidFacts, asset: PayoutAsset): PayoutRate | null {
  const used = quotes
    .filter((quote) => isSame(assetOf(quote), asset))
    .map((quote) => ({ quote, units: confirmedUnits(transfers, quote) }))
    .filter(({ units }) => units > 0n);
  const last = newest(used.map(({ quote }) => quote));
  if (!last) return null;
  let [numerator, denominator] = [0n, 1n];
  for (const { quote, units } of used) {
    numerator = numerator * quote.assetAmount + due * units * denominator;
    denominator *= quote.assetAmount;
  }
  const worth = numerator / denominator;
  return {
    units: used.reduce((sum, { units }) => sum + units, 0n),
    worth: worth > 0n ? worth : 1n,
    rate: last.rate,
    lockedAt: last.lockedAt,
  };
}

function confirmedUnits(transfers: readonly Transfer[], { id }: Quote): bigint {
  return transfers
    .filter((one) => one.quoteId === id && one.isMatched && one.state === 'confirmed')
    .reduce((sum, { amount }) => sum + amount, 0n);
}

function assetOf({ chain, asset, currencyCode, assetDecimals }: Quote): PayoutAsset {
  return { chain, asset, currencyCode, decimals: assetDecimals };
}

function isSame(a: PayoutAsset, b: PayoutAsset): boolean {
  return a.chain === b.chain && a.asset === b.asset;
}

function newest(quotes: readonly Quote[]): Quote | null {
  return quotes.toSorted((a, b) => b.lockedAt.getTime() - a.lockedAt.getTime())[0] ?? null;
}
