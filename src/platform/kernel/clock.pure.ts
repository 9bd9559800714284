/** The only source of the current time; tests replace it. */
export abstract class Clock {
  abstract now(): Date;

  /** Unix seconds, rounded down. */
  unixSeconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }
}

/** Wall-clock time, shifted by the difference to the database's clock so that all processes agree. */
export class SystemClock extends Clock {
  private offsetMs = 0;

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  /** @param databaseNow the database's clock_timestamp() as just read */
  synchronise(databaseNow: Date): void {
    this.offsetMs = databaseNow.getTime() - Date.now();
  }
}

/** `YYYY-MM-DDTHH:MM:SSZ`, UTC without fraction (specification/conventions.md#dates). */
export function toIsoSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** {@link toIsoSeconds}, or null. */
export function toIsoSecondsOrNull(date: Date | null): string | null {
  return date === null ? null : toIsoSeconds(date);
}
