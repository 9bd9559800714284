import type { Failpoint } from '../../src/platform/kernel/failpoints.js';
import type { Patch } from '../chain-fuzz/mutations.js';
import type { ProcessRole } from './crash-points.js';

/** A bug that only shows when a process is killed, planted in a copy of the built gateway. */
export interface CrashMutation extends Patch {
  /** The role that runs the faulty copy. */
  role: ProcessRole;
  /** Where its process is killed. */
  failpoint: Failpoint;
}

export const CRASH_MUTATIONS: readonly CrashMutation[] = [
  {
    name: 'webhooks: a delivery counts as done before the merchant has answered',
    role: 'worker',
    failpoint: 'deliveries.claimed',
    file: 'webhooks/delivery.repository.js',
    text: `lease_token, lease_until)
    select delivery_id, id, payment_id, application_id, user_id, seq, place, type, :now, :now,`,
    instead: `state, succeeded_at, lease_token, lease_until)
    select delivery_id, id, payment_id, application_id, user_id, seq, place, type, :now, case when not is_claimed then :now::timestamptz end,
      case when is_claimed then 'succeeded' else 'pending' end, case when is_claimed then clock_timestamp() end,`,
    // Killed before it was sent, or between the merchant's response and its record: either way it is not tried again.
    caught: /was never delivered|its lease is stuck/,
  },
  {
    name: 'chain watcher: the cursor is moved outside of the transaction of its transfers',
    role: 'watcher',
    failpoint: 'blocks.transfers-recorded',
    file: 'chain-watcher/block-applier.service.js',
    text: '.advance(tx, chain.slug, cursor, known, history, epoch)',
    instead: `.advance({ query: (text, values) => this.sql.queryApart(text, values) },
      chain.slug, cursor, known, history, epoch)`,
    caught: /: (mined|confirmed) \d+ on chain, \d+ recorded/,
  },
  {
    name: 'payments: the payment is committed before its Idempotency-Key',
    role: 'api',
    failpoint: 'payments.created',
    file: 'platform/web/idempotency/idempotency.service.js',
    text: 'const made = await runWritingKey((response) => this.finish(request, response));',
    instead: `const made = await runWritingKey(() => null);
      await this.keep(request, made);`,
    caught: /payment .*: answered \S+, made \S+ and /,
  },
];
