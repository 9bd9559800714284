import { Inject, Injectable } from '@nestjs/common';
import type { ApplicationView } from '../applications/application-view.pure.js';
import { callbackProblem } from '../applications/payment-callback.pure.js';
import { type WebhookUrlPolicy, webhookUrlPolicy } from '../applications/webhook-url-policy.pure.js';
import { ApplicationsService } from '../applications/applications.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { AuditLog } from '../platform/audit/audit-log.service.js';
import type { Principal } from '../platform/security/auth.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { ConflictError, NotFoundError } from '../platform/errors/errors.pure.js';
import { newId } from '../platform/runtime/ids.pure.js';
import { describePathId } from '../platform/http/path-id.pure.js';
import { PollingLoops } from '../platform/runtime/polling-loop.js';
import { LoopName } from '../platform/runtime/loop-name.pure.js';
import type { Draft } from '../platform/contract/read-dto.js';
import { type Queryable, Sql } from '../platform/database/sql.js';
import { CONFIG, type Config } from '../config.js';
import { applicationMessage, type Asking, deletedMessage } from './application-choice.pure.js';
import { checkBlockchain, checkExpiry, checkMoney } from './create-checks.pure.js';
import { noWallet, nothingEnabled } from './no-payment-method.js';
import { payableNetworks } from './payable-networks.pure.js';
import { PaymentStateMachine } from './payment-state-machine.service.js';
import { PaymentPresenter } from './payment-presenter.service.js';
import { findOwnedAggregate, findAggregate, lockForUpdate } from './payment.repository.js';
import type { CreatePaymentContract } from './payment-requests.contract.js';
import type { PaymentAggregate } from './payment.pure.js';
import { insteadOfAccepting, insteadOfCancelling } from './refused-move.pure.js';
import { isLive } from './transfer-state.pure.js';
import { isHeldAsOverpaid } from './payment-status.pure.js';

// Payment and first history row in one round trip; the deferred trigger checks the pair at commit. Nothing is written
// where the merchant has no wallet of the families in $14; null: the operator's own keys are enough.
const CREATE = `
  with created as (
    insert into payments (id, user_id, application_id, reference, reference_label, currency_code, settlement_currency_code,
      amount, redirect_url, blockchain_slug, product_id, expires_at, created_at, metadata, livemode, callback_url)
    select $1, $2::text, $3::uuid, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $15, $16, $17
    where $14::text[] is null or exists (
      select from wallets
      where user_id = $2 and (application_id = $3 or application_id is null) and family = any($14)
        and retired_at is null)
    returning id, created_at
  )
  insert into payment_status_history (payment_id, seq, from_status, to_status, reason, created_at)
  select id, 1, null, 'OPEN', 'created', created_at from created
  returning payment_id`;
const STANDING_EVENTS = `
  select payment_id as "paymentId" from payment_events
  where id = any($1::uuid[]) and type = 'payment.received' and superseded_at is null`;
const CANCEL_REASON = `update payments set cancel_reason = $2 where id = $1`;

/** Payments for their merchants: create, read, cancel, accept; and the merchant's acknowledgement. */
@Injectable()
export class PaymentsService {
  private readonly targets: WebhookUrlPolicy;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    private readonly applications: ApplicationsService,
    private readonly chains: ChainsService,
    private readonly mover: PaymentStateMachine,
    private readonly presenter: PaymentPresenter,
    private readonly loops: PollingLoops,
  ) {
    this.targets = webhookUrlPolicy(config.production, config.webhooks.allowedCidrs);
  }

  /**
   * Creates a payment and returns its signed checkout URL (specification/payments.md#create).
   * @throws ValidationError with every wrong field
   */
  async create(
    principal: Principal,
    draft: Draft<CreatePaymentContract>,
  ): Promise<{ id: string; checkoutUrl: string }> {
    const now = this.clock.now();
    const amount = checkMoney(draft, this.chains.enabledCodes);
    const application = await this.findApplication(principal, draft);
    checkBlockchain(draft, this.chains.list(), application?.currencyWhitelist ?? null);
    checkExpiry(draft, now);
    this.checkCallbackUrl(draft, application);
    const dto = draft.finish();
    if (!application || !amount) throw new Error('a payment without application or amount passed its checks');
    const id = newId(now);
    const expiresAt = dto.expiresAt
      ? new Date(Math.floor(dto.expiresAt.getTime() / 1000) * 1000)
      : new Date(now.getTime() + this.config.checkoutDefaultTtlSeconds * 1000);
    const { families, livemode } = payableNetworks(this.chains.list(), {
      currencyWhitelist: application.currencyWhitelist,
      blockchainSlug: dto.blockchainSlug ?? null,
    });
    const asked = {
      applicationId: application.id,
      currencyWhitelist: application.currencyWhitelist,
      field: dto.clientId ? ('clientId' as const) : ('siteId' as const),
    };
    if (families.length === 0) throw nothingEnabled(asked, this.chains.enabledCodes);
    const hasOperatorKey = families.some((family) => this.config.defaultWallets[family] !== undefined);
    const created = await this.sql.query(CREATE, [
      id,
      application.userId,
      application.id,
      dto.reference,
      dto.referenceLabel,
      dto.currencyCode,
      dto.settlementCurrencyCode ?? dto.currencyCode,
      amount.units,
      dto.redirectUrl ?? null,
      dto.blockchainSlug ?? null,
      dto.productId ?? null,
      expiresAt,
      now,
      hasOperatorKey ? null : families,
      JSON.stringify(dto.metadata ?? {}),
      livemode,
      dto.callbackUrl ?? null,
    ]);
    if (created.length === 0) throw noWallet(asked, families);
    return { id, checkoutUrl: this.presenter.checkoutUrl({ id, expiresAt }) };
  }

  /** A payment that the principal may see. @throws NotFoundError also for a foreign one */
  async getOwned(principal: Principal, paymentId: string): Promise<PaymentAggregate> {
    const state = await this.findOwned(principal, paymentId);
    if (!state) throw paymentNotFound();
    return state;
  }

  /** {@link getOwned}, or null. */
  async findOwned(principal: Principal, paymentId: string): Promise<PaymentAggregate | null> {
    const applicationId = principal.kind === 'client' ? principal.applicationId : null;
    return findOwnedAggregate(this.sql, paymentId, principal.userId, applicationId);
  }

  /** A payment whose checkout link was verified. @throws NotFoundError */
  async get(paymentId: string): Promise<PaymentAggregate> {
    const state = await findAggregate(this.sql, paymentId);
    if (!state) throw paymentNotFound();
    return state;
  }

  /** Locks a payment and reads its facts, for other rooms' transactions. @throws NotFoundError */
  async lock(tx: Queryable, paymentId: string): Promise<PaymentAggregate> {
    const [state] = await lockForUpdate(tx, [paymentId]);
    if (!state) throw paymentNotFound();
    return state;
  }

  /**
   * Cancels a payment for which no transfer was seen, matched or not; idempotent (specification/payments.md#cancel).
   * Transfers are recorded under the same lock, so a simultaneous one is either seen here or finds the payment
   * CANCELLED.
   */
  async cancel(principal: Principal, paymentId: string, reason: string | null): Promise<PaymentAggregate> {
    await this.getOwned(principal, paymentId);
    return this.withLocked(paymentId, async (tx, state) => {
      if (state.payment.status === 'CANCELLED') return;
      if (state.payment.status !== 'OPEN' || state.transfers.some(isLive)) {
        const what = state.payment.status === 'OPEN' ? 'has received funds' : `is ${state.payment.status}`;
        throw new ConflictError('invalid_state_transition', `A payment that ${what} cannot be cancelled`, {
          hint: insteadOfCancelling(state.payment.status),
        });
      }
      await tx.query(CANCEL_REASON, [paymentId, reason]);
      // What is announced of it says so too.
      state.payment.cancelReason = reason;
      await this.mover.close(tx, state, { to: 'CANCELLED', reason: 'cancelled_by_merchant' });
      const { userId } = state.payment;
      const target = { kind: 'payment', id: paymentId };
      await this.audit.record(tx, { act: 'payment.cancelled', userId, target });
    });
  }

  /** Accepts an underpaid, overpaid or unacknowledged payment as it is (specification/payments.md#accept). */
  async accept(principal: Principal, paymentId: string): Promise<PaymentAggregate> {
    await this.getOwned(principal, paymentId);
    return this.withLocked(paymentId, async (tx, state) => {
      const { payment } = state;
      const funds = this.mover.fundsOf(state);
      const now = this.clock.now();
      if (payment.status === 'UNDERPAID' && funds.coverage === 'short' && funds.isAllConfirmed) {
        payment.underpayAcceptedAt = now;
        payment.underpayAcceptedAmount = funds.receivedAmount;
      } else if (payment.status === 'RECEIVED') {
        if (isHeldAsOverpaid(funds, this.mover.decisionsOf(state))) payment.overpayAcceptedAt = now;
        payment.acknowledgedAt = now;
      } else {
        throw new ConflictError(
          'invalid_state_transition',
          `A payment that is ${payment.status} cannot be accepted`,
          { hint: insteadOfAccepting(payment.status) },
        );
      }
      const details = { status: payment.status };
      await this.mover.settle(tx, state);
      const target = { kind: 'payment', id: paymentId };
      await this.audit.record(tx, { act: 'payment.accepted', userId: payment.userId, target, details });
    });
  }

  /**
   * Confirms payments whose `payment.received` was answered 2xx, or that have no endpoint
   * (specification/payment-states.md#confirmed). Runs in the transaction that records the responses. An event that a
   * reorg has superseded acknowledges nothing.
   */
  async acknowledgeReceived(
    tx: Queryable,
    received: readonly { paymentId: string; eventId: string }[],
  ): Promise<void> {
    const states = await lockForUpdate(tx, [...new Set(received.map(({ paymentId }) => paymentId))]);
    const standing = await tx.query<{ paymentId: string }>(STANDING_EVENTS, [
      received.map(({ eventId }) => eventId),
    ]);
    const acknowledged = new Set(standing.map(({ paymentId }) => paymentId));
    for (const state of states) {
      const { payment } = state;
      if (payment.status !== 'RECEIVED' || !acknowledged.has(payment.id)) continue;
      payment.acknowledgedAt = this.clock.now();
      await this.mover.settle(tx, state);
    }
  }

  /**
   * Moves an OPEN payment to ERROR after a permanent failure, such as an address that cannot be derived
   * (specification/payment-states.md#transitions).
   */
  async fail(paymentId: string, reason: string): Promise<void> {
    await this.withLocked(paymentId, async (tx, state) => {
      if (state.payment.status === 'OPEN') await this.mover.close(tx, state, { to: 'ERROR', reason });
    });
  }

  private async withLocked(
    paymentId: string,
    work: (tx: Queryable, state: PaymentAggregate) => Promise<void>,
  ): Promise<PaymentAggregate> {
    const changed = await this.sql.transaction(async (tx) => {
      const state = await this.lock(tx, paymentId);
      await work(tx, state);
      return state;
    });
    // Wakes the dispatcher early; if the wake-up is lost, polling picks the event up within a second.
    this.loops.wake(LoopName.WebhookDelivery);
    return changed;
  }

  /**
   * Finds the application of a new payment; a foreign, unknown or deleted one is reported on the field that named it
   * (specification/payments.md#create).
   */
  private async findApplication(
    principal: Principal,
    { given, problems }: Draft<CreatePaymentContract>,
  ): Promise<ApplicationView | null> {
    if (problems.has('clientId') || problems.has('siteId')) return null;
    const clientId = given.clientId ?? null;
    const siteId = given.siteId ?? null;
    if (clientId === null && siteId === null) {
      problems.add('clientId', 'The clientId field is required when siteId is not present.');
      return null;
    }
    const field = clientId === null ? 'siteId' : 'clientId';
    const application =
      clientId === null
        ? await this.applications.findBySiteId(siteId ?? '')
        : await this.applications.findByClientId(clientId);
    if (!application || !isOwn(principal, application)) {
      const sent = (field === 'clientId' ? clientId : siteId) ?? '';
      problems.add(field, applicationMessage(field, sent, await this.describeAsking(principal, sent)));
      return null;
    }
    if (application.deletedAt !== null) {
      problems.add(field, deletedMessage(field, application));
      return null;
    }
    if (clientId !== null && siteId !== null && application.site.id !== siteId) {
      problems.add(
        'siteId',
        'The siteId field must be the site of the payment application that clientId names. Send one of the two.',
      );
    }
    return application;
  }

  /** An early answer; where it may go is decided again for each try (payment-callback.pure.ts). */
  private checkCallbackUrl(
    { given: { callbackUrl }, problems }: Draft<CreatePaymentContract>,
    application: ApplicationView | null,
  ): void {
    if (!callbackUrl || !application) return;
    const problem = callbackProblem(callbackUrl, application.site, this.targets);
    if (problem !== null) problems.add('callbackUrl', problem);
  }

  /** Looked at only when the application is refused; see {@link applicationMessage}. */
  private async describeAsking(principal: Principal, sent: string): Promise<Asking> {
    const isClientToken = principal.kind === 'client';
    const id = sent.trim().toLowerCase();
    const own = isClientToken
      ? await this.applications.findOwned(principal.userId, principal.applicationId)
      : ((await this.applications.findOwned(principal.userId, id)) ??
        (await this.applications.findOwnedBySiteId(principal.userId, id)));
    return { own, isClientToken, oauthClientId: isClientToken ? null : principal.clientId };
  }
}

function isOwn(principal: Principal, application: ApplicationView): boolean {
  if (principal.kind === 'client' && principal.applicationId !== application.id) return false;
  return principal.userId === application.userId;
}

/**
 * Unknown and foreign ids answer alike.
 * @param id as a path has it, where nobody is signed in: its form alone is judged
 */
export function paymentNotFound(id?: string): NotFoundError {
  const hint = id === undefined ? undefined : describePathId('payment', id);
  return new NotFoundError('payment_not_found', 'Payment not found', hint);
}
