import type { IncomingHttpHeaders } from 'node:http';
import { WebhookError } from '../../../sdk/src/errors.js';
import { verifyWebhook } from '../../../sdk/src/webhooks.js';

/** A webhook as the shop received and answered it. */
export interface ReceivedWebhook {
  event: string;
  status: number;
  remark: string;
}

/** Payments whose webhooks are kept, so that a shop that runs for weeks does not grow. */
const MOST_PAYMENTS = 200;

/** Receives webhooks as a merchant should: it verifies the signature, and acts once on each event. */
export class WebhookInbox {
  private readonly received = new Map<string, ReceivedWebhook[]>();
  private readonly handled = new Set<string>();

  constructor(private readonly secret: string) {}

  /** @returns the status to respond with */
  async receive(headers: IncomingHttpHeaders, body: Buffer): Promise<number> {
    try {
      const proven = await verifyWebhook({ headers, body, secret: this.secret });
      // A verified test event, or one that is not about a payment: nothing to do.
      if (!proven || !('payment' in proven)) return 200;
      const { id, event, payment } = proven;
      const remark = this.handled.has(id) ? 'signature valid, received before' : 'signature valid';
      this.handled.add(id);
      this.keep(payment.id, { event, status: 200, remark });
      return 200;
    } catch (error) {
      if (error instanceof WebhookError) return 400;
      throw error;
    }
  }

  /** Oldest first. */
  of(paymentId: string): readonly ReceivedWebhook[] {
    return this.received.get(paymentId) ?? [];
  }

  private keep(paymentId: string, webhook: ReceivedWebhook): void {
    this.received.set(paymentId, [...this.of(paymentId), webhook]);
    const [oldest] = this.received.keys();
    if (oldest !== undefined && this.received.size > MOST_PAYMENTS) this.received.delete(oldest);
  }
}
