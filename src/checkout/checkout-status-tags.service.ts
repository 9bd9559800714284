import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { PaymentPresenter } from '../payments/payment-presenter.service.js';
import type { PaymentAggregate } from '../payments/payment.pure.js';
import { PaymentsService } from '../payments/payments.service.js';
import { stringifyExact } from '../platform/kernel/exact-json.pure.js';
import { sha256 } from '../platform/kernel/hmac.pure.js';
import { CheckoutStatusService } from './checkout-status.service.js';
import type { CheckoutStatusContract } from './checkout.contract.js';
import { ConfirmationProgress } from './confirmation-progress.service.js';
import { followedAsset } from './followed-asset.pure.js';

/** Payments whose tag is remembered; about 500 bytes each. */
const MAX_KNOWN = 20_000;

/** A tag, and everything that its status was made of. */
interface KnownTag {
  tag: string;
  /** Of the rows ({@link PaymentsService.findMark}), read before the status. */
  mark: string;
  applicationId: string;
  /** The rest is taken from the status itself: it may be older than the mark, where it is remembered for a second. */
  settings: string;
  expiresAt: Date;
  expired: boolean;
  /** The chain whose delay the status tells; null: none. */
  chain: string | null;
  delayed: boolean;
}

/** A status with its tag; without it, if the client has it already. */
export interface TaggedStatus {
  tag: string;
  status: CheckoutStatusContract | null;
}

/**
 * Tags the public status of payments (specification/checkout.md#status). Customers' pages poll it, and mostly nothing has
 * changed: then one statement, shared with other polls of the moment, shows that the status is still the one that this
 * process has tagged (docs/explanation/performance.md#polls-that-change-nothing).
 */
@Injectable()
export class CheckoutStatusTags {
  /** By payment, the one made longest ago first. */
  private readonly known = new Map<string, KnownTag>();

  constructor(
    private readonly payments: PaymentsService,
    private readonly applications: ApplicationsService,
    private readonly presenter: PaymentPresenter,
    private readonly progress: ConfirmationProgress,
    private readonly status: CheckoutStatusService,
  ) {}

  /** @param sent the tag that the client has @throws NotFoundError */
  async read(paymentId: string, sent: string | undefined): Promise<TaggedStatus> {
    // Before the status is read: what changes in between is noticed by the next poll.
    const mark = sent === undefined ? null : await this.payments.findMark(paymentId);
    const known = this.known.get(paymentId);
    if (known && known.tag === sent && known.mark === mark && (await this.isCurrent(known)))
      return { tag: known.tag, status: null };
    const state = await this.payments.get(paymentId);
    const status = await this.status.describe(state);
    const { serverTime: _changesAlways, ...lasting } = status;
    const tag = `"${sha256(stringifyExact(lasting)).toString('base64url').slice(0, 22)}"`;
    if (mark !== null) this.remember(paymentId, { ...sourcesOf(state, status), tag, mark });
    return { tag, status: tag === sent ? null : status };
  }

  /** Of what the mark does not show: the settings that are read apart, and what changes with time. */
  private async isCurrent({
    applicationId,
    settings,
    expiresAt,
    expired,
    chain,
    delayed,
  }: KnownTag): Promise<boolean> {
    const application = await this.applications.getById(applicationId);
    return (
      JSON.stringify(this.status.settingsOf(application)) === settings &&
      this.presenter.isExpired({ expiresAt }) === expired &&
      (chain === null || (await this.progress.isDelayed(chain)) === delayed)
    );
  }

  private remember(paymentId: string, known: KnownTag): void {
    this.known.delete(paymentId);
    const [oldest] = this.known.keys();
    if (this.known.size >= MAX_KNOWN && oldest !== undefined) this.known.delete(oldest);
    this.known.set(paymentId, known);
  }
}

function sourcesOf(
  state: PaymentAggregate,
  { merchantSettings, expired, confirmations }: CheckoutStatusContract,
): Omit<KnownTag, 'tag' | 'mark'> {
  // Funds that count already wait for no block.
  const waits = confirmations !== null && confirmations.estimatedSecondsRemaining !== 0;
  return {
    applicationId: state.payment.applicationId,
    settings: JSON.stringify(merchantSettings),
    expiresAt: state.payment.expiresAt,
    expired,
    chain: waits ? (followedAsset(state)?.chain ?? null) : null,
    delayed: confirmations?.delayed ?? false,
  };
}
