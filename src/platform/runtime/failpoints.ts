/**
 * Moments at which a death of the process would hurt most, each with what could go wrong there.
 * test/chaos kills the program at every one of them; here they do nothing.
 */
export type Failpoint =
  /** Any transaction is about to commit: all of it is lost, and must come to be once more. */
  | 'transaction.before-commit'
  /** Any transaction has just committed: its caller does not know yet, and will repeat it. */
  | 'transaction.after-commit'
  /** The Idempotency-Key is taken, nothing was done: the key must not be stuck. */
  | 'idempotency.reserved'
  /** The payment is written, the answer is not kept: the retry would make a second one. */
  | 'idempotency.acted'
  /** All is committed, the client got no answer: the retry must get the first one. */
  | 'idempotency.committed'
  /** The wallet's counter has moved, the address is not written: an index would be burnt, or given out twice. */
  | 'address.index-taken'
  /** The quote is written, the payment does not know its method. */
  | 'quote.written'
  /** Blocks were read, nothing is written. */
  | 'blocks.matched'
  /** The cursor has moved, the transfers of its blocks are not written: they would be passed over. */
  | 'blocks.cursor-moved'
  /** Transfers are written, their payments are not settled yet. */
  | 'blocks.transfers-recorded'
  /** Blocks are applied and committed, no loop was woken. */
  | 'blocks.committed'
  /** The cursor went back, what was above it still counts. */
  | 'reorg.cursor-moved'
  /** A fork's funds are taken back, the new branch is not read. */
  | 'reorg.committed'
  /** The payment has its new status, without history and event. */
  | 'payment.moved'
  /** The event is written, and whatever else the move brings is not. */
  | 'payment.announced'
  /** Events have become deliveries, claimed by this process up to its capacity: they stay unsent until the lease ends. */
  | 'events.dispatched'
  /** A delivery is claimed, nothing was sent: it waits for the end of the lease. */
  | 'deliveries.claimed'
  /** The merchant has answered, nothing says so: the event is sent again. */
  | 'delivery.answered'
  /** The payment is CONFIRMED, the delivery is still open. */
  | 'delivery.acknowledged'
  /** The delivery is ended and its attempt written, nothing of it is committed: the event is sent again. */
  | 'delivery.claim-ended'
  /** All of an answer is recorded, the payment's next event was not looked for. */
  | 'delivery.recorded'
  /** A payout is to be looked at next only after the interval, and was not looked at. */
  | 'refund.claimed'
  /** The refund is complete, the payment does not know. */
  | 'refund.completed';

/** Where a program that starts this one puts what happens at a failpoint (`node --import`). */
const HOOK = Symbol.for('gateway.failpoint');
const hook = (globalThis as { [HOOK]?: (name: Failpoint) => void })[HOOK];

/** Does nothing, unless the process was started with a hook. */
export function failpoint(name: Failpoint): void {
  hook?.(name);
}
