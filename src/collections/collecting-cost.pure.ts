import type { ScriptType } from '../chains/chain-family.pure.js';
import { type Decimal, mulDivCeil, pow10, pricedAmountFor } from '../money/money.js';
import { DEPOSIT_GAS, TOKEN_GAS } from './deposit-worth.pure.js';
import { inputFee } from './psbt.pure.js';

/** The price of a transaction now: in the smallest unit of the coin, for a unit of gas or for a virtual byte. */
export type NetworkFee = { kind: 'gas' | 'byte'; price: bigint };

/** An amount of a coin in its smallest unit, and how many make a whole one. */
interface Coin {
  /** `native` or the token's contract. */
  asset: string;
  decimals: number;
  /** Of one whole coin, in the currency in which costs are compared; null: not known. */
  rate: Decimal | null;
}

/** What collecting from one address costs, and from which amount on that pays; by the length of its key. */
export interface AddressCost {
  keyLength: number;
  /** Smallest unit of the network's coin. */
  cost: bigint;
  /** Smallest unit of what is collected; null: not known. */
  least: bigint | null;
}

/** What has been received on the addresses of one wallet, in one asset. Amounts in its smallest unit. */
export interface WalletSum {
  keyLength: number;
  addresses: number;
  /** Addresses that have received at least {@link AddressCost.least}, and what they have received. */
  collectable: number;
  collectableAmount: bigint;
}

export interface Collecting {
  /** Of the dearest address. */
  cost: bigint;
  /** As {@link AddressCost.least}, of the dearest address. */
  least: bigint | null;
  /** Of all addresses from which collecting pays; null: not known which. */
  sum: { addresses: number; amount: bigint; cost: bigint } | null;
}

/** What a comparison of costs is made in: US dollars with this many decimals, because gas costs less than cents. */
export const COMPARED = { code: 'USD', decimals: 12 };

/** EVM addresses. */
const ADDRESS_BYTES = 20;
/** Bytes of an output script, by its type. */
const SCRIPT_BYTES: Readonly<Record<ScriptType, number>> = {
  p2wpkh: 22,
  'p2sh-p2wpkh': 23,
  p2pkh: 25,
  p2tr: 34,
};

/** What each kind of address costs, as `POST …/collections` decides (deposit-worth.pure.ts, psbt.pure.ts). */
export function addressCosts(fee: NetworkFee, coin: Coin, native: Coin): AddressCost[] {
  if (fee.kind === 'gas') {
    const cost = fee.price * (DEPOSIT_GAS + (coin.asset === 'native' ? 0n : TOKEN_GAS));
    return [{ keyLength: ADDRESS_BYTES, cost, least: leastAbove(cost, coin, native) }];
  }
  return Object.entries(SCRIPT_BYTES).map(([type, keyLength]) => {
    const cost = inputFee(type as ScriptType, fee.price);
    return { keyLength, cost, least: cost + 1n };
  });
}

/** The smallest amount whose value is above that of its cost; null: not known. */
function leastAbove(cost: bigint, coin: Coin, native: Coin): bigint | null {
  if (!coin.rate || !native.rate) return coin.asset === 'native' ? cost + 1n : null;
  const costValue = pricedAmountFor({
    assetAmount: cost,
    assetDecimals: native.decimals,
    rate: native.rate,
    pricedDecimals: COMPARED.decimals,
  });
  return mulDivCeil(
    costValue + 1n,
    pow10(coin.decimals + coin.rate.scale),
    coin.rate.digits * pow10(COMPARED.decimals),
  );
}

/**
 * What collecting one asset costs, over all wallets whose addresses can be collected from.
 * @returns null: there is no such address
 */
export function collectingOf(sums: readonly WalletSum[], costs: readonly AddressCost[]): Collecting | null {
  const priced = sums.flatMap((sum) => {
    const cost = costs.find(({ keyLength }) => keyLength === sum.keyLength);
    return cost && sum.addresses > 0 ? [{ ...sum, ...cost }] : [];
  });
  const [dearest] = priced.toSorted((a, b) => (a.cost < b.cost ? 1 : -1));
  if (!dearest) return null;
  const { cost, least } = dearest;
  if (priced.some((one) => one.least === null)) return { cost, least: null, sum: null };
  const sum = { addresses: 0, amount: 0n, cost: 0n };
  for (const one of priced) {
    sum.addresses += one.collectable;
    sum.amount += one.collectableAmount;
    sum.cost += one.cost * BigInt(one.collectable);
  }
  return { cost, least, sum };
}

/** What an amount is worth, for display: received money rounded down, and costs up, so that none looks like nothing. */
export function worthIn(
  amount: bigint,
  { decimals, rate }: Pick<Coin, 'decimals' | 'rate'>,
  pricedDecimals: number,
  rounding: 'up' | 'down',
): bigint | null {
  if (!rate) return null;
  const divisor = pow10(decimals + rate.scale);
  const factor = rate.digits * pow10(pricedDecimals);
  return rounding === 'up' ? mulDivCeil(amount, factor, divisor) : (amount * factor) / divisor;
}
