/**
 * Polls, and the sends that they start without waiting for responses. A shutdown waits for all of both, before
 * connections and the database are closed.
 */
export class InFlightSends {
  private readonly polls = new Set<Promise<boolean>>();
  private readonly sends = new Set<Promise<void>>();
  private isStopping = false;
  /** Number of sends ever started. */
  private started = 0;

  /** Number of sends in flight. */
  get size(): number {
    return this.sends.size;
  }

  /**
   * Runs a poll, but none after {@link stop}.
   * @param claim claims events and starts their sends; true if more may be waiting
   */
  async poll(claim: () => Promise<boolean>): Promise<boolean> {
    if (this.isStopping) return false;
    const poll = claim().finally(() => this.polls.delete(poll));
    this.polls.add(poll);
    return poll;
  }

  /** @param onEnd runs when the send no longer counts as in flight */
  start(send: Promise<void>, onEnd: () => void): void {
    this.started++;
    const tracked = send.finally(() => {
      this.sends.delete(tracked);
      onEnd();
    });
    this.sends.add(tracked);
  }

  /** Runs a poll and waits until everything in flight has ended. True if more may be waiting. */
  async pollAndWait(poll: () => Promise<boolean>): Promise<boolean> {
    // A send that ended during the poll has freed capacity, or caused an event, that the poll did not see.
    const [wasBusy, startedBefore] = [this.size > 0, this.started];
    const isMore = await poll();
    await Promise.all(this.sends);
    return isMore || wasBusy || this.started > startedBefore;
  }

  /** Allows no more polls, and waits for those under way and for all sends. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.allSettled(this.polls);
    await Promise.all(this.sends);
  }
}
