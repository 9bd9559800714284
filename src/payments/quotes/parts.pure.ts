import { isLive, type TransferState } from '../transfers/transfer-state.pure.js';
import { NOTHING, paidBy, partOf, type WeighingQuote } from './weighing.pure.js';

/** What allotting needs of a transfer. */
export interface PartTransfer {
  state: TransferState;
  isMatched: boolean;
  quoteId: string | null;
  /** Smallest unit of the asset. */
  amount: bigint;
  seenAt: Date;
  confirmedAt: Date | null;
  /** Its part so far, in the pricing currency; null: none yet. */
  creditedAmount: bigint | null;
}
type PartQuote = Pick<WeighingQuote, 'id' | 'assetAmount'>;

interface Part<T> {
  transfer: T;
  /** What it pays, exactly: this and `remainder` of `divisor`. */
  floor: bigint;
  remainder: bigint;
  divisor: bigint;
  amount: bigint;
  isNew: boolean;
}

/** What a transfer is credited with: nothing once the network has taken it back, nor before it has a value. */
export function creditedBy({
  state,
  creditedAmount,
}: Pick<PartTransfer, 'state' | 'creditedAmount'>): bigint {
  return isLive({ state }) ? (creditedAmount ?? 0n) : 0n;
}

/**
 * Divides what transfers pay of a payment among them, in whole units of the pricing currency: the confirmed ones add up to
 * `receivedAmount`, all live ones to what they pay together. Each gets its exact part, rounded down or up. What is missing
 * to the sum goes to new transfers first, by the largest remainder, so that one that comes later changes no part that was
 * told before; else, as after a reorganization, as few as possible change, the last first
 * (specification/money.md#rounding).
 * @param due the amount of the payment
 * @returns the transfers whose part is another one than before, with it
 */
export function allotParts<T extends PartTransfer>(
  due: bigint,
  transfers: readonly T[],
  quotes: readonly PartQuote[],
): Map<T, bigint> {
  const divisors = new Map(quotes.map(({ id, assetAmount }) => [id, assetAmount]));
  const valued = transfers.filter(
    ({ state, isMatched, quoteId }) =>
      isLive({ state }) && isMatched && quoteId !== null && divisors.has(quoteId),
  );
  const confirmed = valued.filter(({ state }) => state === 'confirmed');
  const pending = valued.filter(({ state }) => state !== 'confirmed');
  const received = sumOf(due, confirmed, quotes);
  const all = pending.length === 0 ? received : sumOf(due, valued, quotes);
  return new Map(
    [
      ...divide(received, partsOf(due, confirmed, divisors)),
      ...divide(all - received, partsOf(due, pending, divisors)),
    ]
      .filter(({ transfer, amount }) => amount !== transfer.creditedAmount)
      .map(({ transfer, amount }) => [transfer, amount]),
  );
}

/** What the transfers pay together, rounded down. */
function sumOf(due: bigint, transfers: readonly PartTransfer[], quotes: readonly PartQuote[]): bigint {
  return partOf(due, transfers.length === 0 ? NOTHING : paidBy(transfers, quotes));
}

function partsOf<T extends PartTransfer>(
  due: bigint,
  transfers: readonly T[],
  divisors: ReadonlyMap<string | null, bigint>,
): Part<T>[] {
  return transfers.map((transfer) => {
    const divisor = divisors.get(transfer.quoteId) ?? 1n;
    const exact = due * transfer.amount;
    const [floor, remainder] = [exact / divisor, exact % divisor];
    const before = transfer.creditedAmount;
    const isKept = before === floor || (before === floor + 1n && remainder > 0n);
    return { transfer, floor, remainder, divisor, amount: isKept ? before : floor, isNew: !isKept };
  });
}

/** Rounds as many parts up, or down again, as the sum demands; there are always enough of them. */
function divide<T extends PartTransfer>(sum: bigint, parts: Part<T>[]): Part<T>[] {
  const missing = parts.reduce((rest, { amount }) => rest - amount, sum);
  if (missing > 0n) {
    const low = parts.filter(({ amount, floor, remainder }) => amount === floor && remainder > 0n);
    for (const part of low.toSorted(byTurnToGain).slice(0, Number(missing))) part.amount += 1n;
  } else if (missing < 0n) {
    const high = parts.filter(({ amount, floor }) => amount > floor);
    for (const part of high.toSorted(byTurnToLose).slice(0, Number(-missing))) part.amount -= 1n;
  }
  return parts;
}

function byTurnToGain(a: Part<PartTransfer>, b: Part<PartTransfer>): number {
  if (a.isNew !== b.isNew) return a.isNew ? -1 : 1;
  return (a.isNew ? 0 : laterFirst(a, b)) || compare(b.remainder * a.divisor, a.remainder * b.divisor);
}

function byTurnToLose(a: Part<PartTransfer>, b: Part<PartTransfer>): number {
  return laterFirst(a, b) || compare(a.remainder * b.divisor, b.remainder * a.divisor);
}

/** A part that counts for longer was told more often. */
function laterFirst({ transfer: a }: Part<PartTransfer>, { transfer: b }: Part<PartTransfer>): number {
  return (b.confirmedAt ?? b.seenAt).getTime() - (a.confirmedAt ?? a.seenAt).getTime();
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
