import { Injectable, Logger } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { PollingLoops } from '../platform/runtime/polling-loop.js';
import { LoopName } from '../platform/runtime/loop-name.pure.js';
import { type Queryable, Sql } from '../platform/database/sql.js';
import { EXPIRY_GRACE_SECONDS, judgeExpiry, secondsToNextCheck } from './payment-expiry.js';
import { PaymentStateMachine } from './payment-state-machine.service.js';
import { lockForUpdate } from './payment.repository.js';
import type { PaymentAggregate } from './payment.pure.js';
import { isLive } from './transfer-state.pure.js';

/** Payments judged in one transaction. */
const BATCH = 50;

// By the index payments_expiry.
const DUE = `
  select id from payments
  where status = 'OPEN' and expiry_check_at is distinct from 'infinity' and coalesce(expiry_check_at, expires_at) <= $1
  order by coalesce(expiry_check_at, expires_at) limit $2`;
const FACTS = `
  select p.id, s.expired_since as "wantedSince",
    exists (select from payment_events e where e.payment_id = p.id and e.type = 'payment.expired') as "isAnnounced",
    array(select family from deposit_addresses d where d.payment_id = p.id) as families
  from payments p join sites s on s.application_id = p.application_id where p.id = any($1::uuid[])`;
// A node can show an old tip as its newest, so the time of that block counts as well.
const SEEN_UNTIL = `
  select c.chain, least(c.caught_up_at, b.block_time) as until
  from chain_cursors c join chain_blocks b on b.chain = c.chain and b.height = c.height and b.hash = c.hash
  where c.chain = any($1::text[]) and c.halted_at is null and c.caught_up_at is not null`;
const SET_CHECK = `
  update payments p set expiry_check_at = row.at from unnest($1::uuid[], $2::timestamptz[]) as row (id, at)
  where p.id = row.id`;

interface Facts {
  id: string;
  wantedSince: Date | null;
  isAnnounced: boolean;
  families: string[];
}

/**
 * Says payment.expired of payments whose link has ended and to which nothing came, to the applications that ask for
 * it; each once, whichever process gets there first, and never while a chain that could have brought funds is not read
 * that far. Payments that ended while the gateway was down come with the next turn.
 */
@Injectable()
export class PaymentExpiry {
  private readonly logger = new Logger('PaymentExpiry');

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly chains: ChainsService,
    private readonly mover: PaymentStateMachine,
    private readonly loops: PollingLoops,
  ) {}

  /** One batch; true when more may be due. */
  async runOnce(): Promise<boolean> {
    const cutoff = new Date(this.clock.now().getTime() - EXPIRY_GRACE_SECONDS * 1_000);
    const due = await this.sql.query<{ id: string }>(DUE, [cutoff, BATCH]);
    if (due.length === 0) return false;
    const ids = due.map(({ id }) => id);
    const announced = await this.sql.transaction((tx) => this.judge(tx, ids));
    if (announced.length > 0) {
      this.loops.wake(LoopName.WebhookDelivery);
      this.logger.log({ count: announced.length }, 'unpaid payments expired');
    }
    return due.length === BATCH;
  }

  /** Under the payments' locks, which whoever records a transfer takes as well. */
  private async judge(tx: Queryable, ids: readonly string[]): Promise<PaymentAggregate[]> {
    const states = await lockForUpdate(tx, ids);
    const [facts, seen] = await Promise.all([
      tx.query<Facts>(FACTS, [ids]),
      tx.query<{ chain: string; until: Date }>(SEEN_UNTIL, [this.chains.list().map(({ slug }) => slug)]),
    ]);
    const factsOf = new Map(facts.map((row) => [row.id, row]));
    const untilOf = new Map(seen.map(({ chain, until }) => [chain, until]));
    const announced: PaymentAggregate[] = [];
    const checks: { id: string; at: string }[] = [];
    const now = this.clock.now();
    for (const state of states) {
      const { id, status, expiresAt } = state.payment;
      const fact = factsOf.get(id);
      if (!fact) continue;
      const hasFunds = state.transfers.some(isLive);
      const payable = this.chains.list().filter(({ family }) => fact.families.includes(family));
      const seenUntil = payable.map(({ slug }) => untilOf.get(slug) ?? null);
      const verdict = judgeExpiry({ status, expiresAt, hasFunds, seenUntil, ...fact });
      if (verdict === 'announce') announced.push(state);
      // Compared with the cutoff, which lies the grace before now.
      const again = now.getTime() + (secondsToNextCheck(expiresAt, now) - EXPIRY_GRACE_SECONDS) * 1_000;
      checks.push({ id, at: verdict === 'wait' ? new Date(again).toISOString() : 'infinity' });
    }
    await this.mover.announceExpiry(tx, announced);
    await tx.query(SET_CHECK, [checks.map(({ id }) => id), checks.map(({ at }) => at)]);
    return announced;
  }
}
