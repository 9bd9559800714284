/** Unused addresses in a row after which wallets, and this gateway, look no further (BIP 44, "Address gap limit"). */
export const GAP = 20;
/** Addresses that are looked at of each wallet, the newest, so that a million of them cost no more. */
export const MOST_ADDRESSES = 10_000;
/** What a gap limit is rounded up to, so that it is not set anew with each abandoned checkout. */
const STEP = 100;

/**
 * The gap limit to set in the wallet program: a program that looks `limit` unused addresses ahead finds what is paid after a
 * shorter run. Most look 20 ahead.
 * @param longest the longest run of addresses without a payment
 */
export function gapLimitFor(longest: number): number {
  return longest < GAP ? GAP : Math.ceil((longest + 1) / STEP) * STEP;
}

/** Whether a wallet program that looks so many addresses ahead may miss what is paid next. */
export function isLongGap(longest: number, gapLimit: number): boolean {
  return longest >= gapLimit;
}
