/**
 * A place in the changes: those of all earlier transactions have been read, and perhaps some of later ones. The time says
 * whether what follows can still be there.
 */
export interface ChangePlace {
  transaction: bigint;
  /** Seconds since 1970, by the clock of the database. */
  second: number;
}

/** How long changes are kept, in seconds. */
export const KEPT_SECONDS = 600;
/** Below that, so that a place is not continued from while its changes are being deleted. */
const CONTINUED_SECONDS = 480;

const TEXT = /^c(0|[1-9][0-9]{0,17})\.([1-9][0-9]{0,11})$/;

/** What the id of an event is made of; transactions are those of all users. */
export function formatChangePlace({ transaction, second }: ChangePlace): string {
  return `c${transaction}.${second}`;
}

/** Null if {@link formatChangePlace} did not make it. */
export function parseChangePlace(text: string): ChangePlace | null {
  const [, transaction, second] = TEXT.exec(text) ?? [];
  if (transaction === undefined || second === undefined) return null;
  return { transaction: BigInt(transaction), second: Number(second) };
}

/**
 * Whether all changes after a place can still be read. Not if it is old, nor if it is ahead of every transaction: the
 * database was restored.
 */
export function isContinuable(place: ChangePlace, now: ChangePlace): boolean {
  return now.second - place.second < CONTINUED_SECONDS && place.transaction <= now.transaction;
}

/** Seconds for which an open transaction is waited for. */
const WAITED_SECONDS = 30;

/**
 * From where to read next: the oldest transaction that is still open. One that stays open for long, such as that of a
 * migration, would make every turn read all changes since; it is given up.
 */
export class ReadingPlace {
  private seen: { next: bigint; second: number }[] = [];

  /** @param oldest open transaction, @param next the one that will begin next */
  advance(oldest: bigint, next: bigint, second: number): bigint {
    this.seen.push({ next, second });
    const past = this.seen.filter((one) => second - one.second >= WAITED_SECONDS);
    const bound = past.at(-1);
    if (bound) this.seen = this.seen.slice(past.length - 1);
    return bound && bound.next > oldest ? bound.next : oldest;
  }
}
