import type { ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { PaymentsService } from '../payments/payments.service.js';
import { ServiceUnavailableError } from '../platform/kernel/errors/errors.pure.js';
import { ServerSentEvents } from '../platform/web/http/server-sent-events.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { CheckoutStatusService } from './checkout-status.service.js';
import { isTerminal, versionOf } from './payment-version.pure.js';
import { refusalAtOnce } from '../platform/web/rate-limiting/rate-limit.pure.js';

/** Streams of one address for one payment: a customer with several windows. */
const PER_PAYMENT = 10;
/** Seconds after which a refused client should try again. */
const RETRY_AFTER = 30;
/** Milliseconds after which a payment is described again even if its records did not change: its chain may have stalled. */
export const REFRESH_MS = 10_000;
/** Payments described in one turn of the loop. */
const BATCH = 50;

/** Who opens a stream, and since when the signed link is not valid: the page then shows something else. */
export interface CheckoutStreamRequest {
  paymentId: string;
  address: string;
  linkEndsAt: Date;
  /** The version that the page already shows; null: the first event says the current one. */
  lastVersion: string | null;
}

/** What a payment's page shows at the moment. */
export interface CurrentVersion {
  version: string;
  isOver: boolean;
}

interface CheckoutStream extends CheckoutStreamRequest {
  events: ServerSentEvents;
}

/** A payment that at least one page follows. */
interface FollowedPayment {
  streams: Set<CheckoutStream>;
  /** The payment's mark when it was last described; null: not described yet. */
  mark: string | null;
  describedAt: Date | null;
}

/**
 * Tells open checkout pages that their payment has changed (specification/checkout.md#live-page). One statement a turn
 * reads the marks of all followed payments, and only those that changed are described. An event says no more than the
 * new version, and pages fetch what changed.
 */
@Injectable()
export class CheckoutStreams implements BeforeApplicationShutdown {
  private readonly logger = new Logger('CheckoutStreams');
  private readonly followed = new Map<string, FollowedPayment>();
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly payments: PaymentsService,
    private readonly status: CheckoutStatusService,
    private readonly loops: PollingLoops,
  ) {}

  /** Number of open streams. */
  get size(): number {
    return this.all().length;
  }

  /** @throws NotFoundError */
  async currentVersion(paymentId: string): Promise<CurrentVersion> {
    const status = await this.status.describe(await this.payments.get(paymentId));
    return { version: versionOf(status), isOver: isTerminal(status) };
  }

  /** @throws TooManyRequestsError, ServiceUnavailableError before anything is written */
  open(response: ServerResponse, request: CheckoutStreamRequest, current: CurrentVersion): void {
    this.requireRoom(request);
    // The client disconnected meanwhile, so 'close' would never be emitted again.
    if (response.destroyed) return;
    const now = this.clock.now();
    const wake = () => this.loops.wake(LoopName.CheckoutStreams);
    const stream = { ...request, events: new ServerSentEvents(response, now, wake) };
    const payment = this.followed.get(request.paymentId) ?? {
      streams: new Set(),
      mark: null,
      describedAt: null,
    };
    payment.streams.add(stream);
    this.followed.set(request.paymentId, payment);
    response.on('close', () => this.forget(stream));
    tell(stream, current, now);
  }

  /** Reads what changed once, and tells it. True if there is more to describe. */
  async runOnce(): Promise<boolean> {
    const now = this.clock.now();
    for (const { events } of this.all()) events.tick(now);
    if (this.followed.size === 0) return false;
    const marks = await this.payments.marksOf([...this.followed.keys()]);
    const due = [...this.followed].filter(([id, { streams, mark, describedAt }]) => {
      if (describedAt === null || now.getTime() - describedAt.getTime() >= REFRESH_MS) return true;
      const isLinkEnded = ({ linkEndsAt }: CheckoutStream) => describedAt < linkEndsAt && linkEndsAt <= now;
      return marks.get(id) !== mark || [...streams].some(isLinkEnded);
    });
    for (const [id, payment] of due.slice(0, BATCH)) {
      // Before the payment is read: a change in between is seen in the next turn.
      payment.mark = marks.get(id) ?? null;
      payment.describedAt = now;
      await this.tellAll(id, payment, now);
    }
    return due.length > BATCH;
  }

  /** Clients reconnect, to another process or to this one after its restart. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const { events } of this.all()) events.end(this.clock.now());
  }

  private async tellAll(id: string, { streams }: FollowedPayment, now: Date): Promise<void> {
    try {
      const current = await this.currentVersion(id);
      for (const stream of streams) tell(stream, current, now);
    } catch (error) {
      // One payment must not silence the others; its pages poll, and show what is wrong.
      this.logger.warn({ err: error, paymentId: id }, 'cannot describe a followed payment');
      for (const { events } of streams) events.end(now);
    }
  }

  private requireRoom({ paymentId, address }: CheckoutStreamRequest): void {
    const { total, perAddress } = this.config.checkoutStreams;
    const all = this.all();
    if (this.isStopping || all.length >= total)
      throw new ServiceUnavailableError('No stream is free', RETRY_AFTER);
    const own = all.filter((stream) => stream.address === address);
    const ofPayment = own.filter((stream) => stream.paymentId === paymentId);
    if (own.length >= perAddress) throw refusalAtOnce('checkout-streams', perAddress, RETRY_AFTER);
    if (ofPayment.length >= PER_PAYMENT) throw refusalAtOnce('checkout-streams', PER_PAYMENT, RETRY_AFTER);
  }

  private all(): CheckoutStream[] {
    return [...this.followed.values()].flatMap(({ streams }) => [...streams]);
  }

  private forget(stream: CheckoutStream): void {
    const payment = this.followed.get(stream.paymentId);
    payment?.streams.delete(stream);
    if (payment?.streams.size === 0) this.followed.delete(stream.paymentId);
  }
}

/** A stream that is full gets the event at the next change, or when it has reconnected. */
function tell(stream: CheckoutStream, { version, isOver }: CurrentVersion, now: Date): void {
  const { events } = stream;
  if (events.hasEnded || events.isFull) return;
  if (version !== stream.lastVersion) {
    stream.lastVersion = version;
    events.write(`event: payment\nid: ${version}\ndata: changed\n\n`, now);
  }
  if (isOver) events.end(now);
}
