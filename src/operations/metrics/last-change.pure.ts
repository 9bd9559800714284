/**
 * When this process saw values change. What the database says of itself, somebody who writes it can keep fresh; what
 * was seen, not.
 */
export class LastChange {
  private readonly seen = new Map<string, { value: string; at: Date }>();

  /** Seconds since the value was another one, or since it was seen for the first time. */
  secondsOf(name: string, value: string, now: Date): number {
    const last = this.seen.get(name);
    if (last?.value === value) return Math.max(0, (now.getTime() - last.at.getTime()) / 1_000);
    this.seen.set(name, { value, at: now });
    return 0;
  }
}
