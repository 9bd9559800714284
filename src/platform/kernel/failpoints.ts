/**
 * Points at which a crash of the process would do the most damage, each with what could go wrong there. test/chaos
 * kills the program at every one of them; here they do nothing.
 */
export type Failpoint =
  /** Any transaction is about to commit: everything in it is lost, and must be repeated. */
  | 'transaction.before-commit'
  /** Any transaction has just committed: its caller does not know yet, and will repeat it. */
  | 'transaction.after-commit'
  /** The Idempotency-Key is reserved, nothing was done: the key must not stay reserved. */
  | 'idempotency.reserved'
  /** The effect is written, the response is not: a repeated request must not act again. */
  | 'idempotency.acted'
  /** Everything is committed, the client got no response: a repeated request must return the first response. */
  | 'idempotency.committed'
  /** New payments are committed with their keys, and none of their requests knows: a repeated one finds its payment. */
  | 'payments.created'
  /** The wallet's counter is increased, the address is not written: an index could be lost, or used twice. */
  | 'address.index-taken'
  /** The quote is written, but not the payment's method. */
  | 'quote.written'
  /** Blocks were read, nothing is written. */
  | 'blocks.matched'
  /** The cursor has moved, the transfers of its blocks are not written: they could be skipped. */
  | 'blocks.cursor-moved'
  /** Transfers are written, the statuses of their payments are not. */
  | 'blocks.transfers-recorded'
  /** Blocks are applied and committed, no loop was woken. */
  | 'blocks.committed'
  /** The cursor went back, the blocks above it still count. */
  | 'reorg.cursor-moved'
  /** The transfers of a fork no longer count, the new branch is not read. */
  | 'reorg.committed'
  /** The payment has its new status, without history and event. */
  | 'payment.moved'
  /** The event is written, the other effects of the change are not. */
  | 'payment.announced'
  /**
   * Events have become deliveries, claimed by this process up to its capacity: they stay unsent until the lease ends.
   */
  | 'events.dispatched'
  /** A delivery is claimed, nothing was sent: it waits for the end of the lease. */
  | 'deliveries.claimed'
  /** The merchant has responded, which is not recorded: the event is sent again. */
  | 'delivery.answered'
  /** The payment is CONFIRMED, the delivery is still open. */
  | 'delivery.acknowledged'
  /** The delivery's end and its attempt are written, but not committed: the event is sent again. */
  | 'delivery.claim-ended'
  /** A response is completely recorded, the payment's next event was not looked up. */
  | 'delivery.recorded'
  /** The next check of a payout is after the interval, and this one was not made. */
  | 'refund.claimed'
  /** The refund is complete, its payment is not updated. */
  | 'refund.completed';

/** Where a preloaded script (`node --import`) puts the function that is called at a failpoint. */
const HOOK = Symbol.for('gateway.failpoint');
const hook = (globalThis as { [HOOK]?: (name: Failpoint) => void })[HOOK];

/** Does nothing, unless a preloaded script has set a hook. */
export function failpoint(name: Failpoint): void {
  hook?.(name);
}
