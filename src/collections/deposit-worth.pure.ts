import type { LeftOutReason } from './left-out.pure.js';

/** What a deposit address holds of a coin. Values are in one unit of any currency; null: not known. */
export interface HeldCoin {
  /** `native` or the token's contract. */
  asset: string;
  amount: bigint;
  value: bigint | null;
  /** The token would not pay it out now. */
  isRefused: boolean;
  /** What moving it uses, where a node says it. */
  gas?: bigint;
}

export interface WorthTerms {
  /** What gas costs; null: not known. */
  gasValue: ((gas: bigint) => bigint) | null;
  /** Addresses that hold less are left alone. */
  minimum: bigint;
  /** Of an address itself; default: one of a treasury. */
  depositGas?: bigint;
}

/** Gas of a deposit within a batch, and of each of its tokens, as measured with the collector and a plain token. */
export const DEPOSIT_GAS = 36_000n;
export const TOKEN_GAS = 25_000n;

/**
 * What of one address to collect. The coin comes along with any token. What has no known value, or no known cost, is
 * never left alone for its worth.
 */
export function worthOf<Coin extends HeldCoin>(
  coins: readonly Coin[],
  { gasValue, minimum, depositGas = DEPOSIT_GAS }: WorthTerms,
): { collected: Coin[]; leftOut: { coin: Coin; reason: LeftOutReason }[] } {
  const leftOut: { coin: Coin; reason: LeftOutReason }[] = [];
  const leave = (some: readonly Coin[], reason: LeftOutReason) =>
    leftOut.push(...some.map((coin) => ({ coin, reason })));
  const held = coins.filter(({ amount }) => amount > 0n);
  leave(
    held.filter(({ isRefused }) => isRefused),
    'refused',
  );
  const open = held.filter(({ isRefused }) => !isRefused);
  if (open.length === 0) return { collected: [], leftOut };
  const whole = sumOf(open);
  if (whole !== null && whole < minimum) {
    leave(open, 'below_minimum');
    return { collected: [], leftOut };
  }
  const isDear = ({ asset, value, gas = TOKEN_GAS }: HeldCoin) =>
    asset !== 'native' && gasValue !== null && value !== null && value <= gasValue(gas);
  const kept = open.filter((coin) => !isDear(coin));
  const ofTokens = kept.reduce(
    (sum, { asset, gas = TOKEN_GAS }) => (asset === 'native' ? sum : sum + gas),
    0n,
  );
  const worth = sumOf(kept);
  const cost = gasValue && gasValue(depositGas + ofTokens);
  const isWorthIt = kept.length > 0 && (worth === null || cost === null || worth > cost);
  leave(isWorthIt ? open.filter(isDear) : open, 'uneconomic');
  return { collected: isWorthIt ? kept : [], leftOut };
}

function sumOf(coins: readonly HeldCoin[]): bigint | null {
  return coins.reduce<bigint | null>(
    (sum, { value }) => (sum === null || value === null ? null : sum + value),
    0n,
  );
}
