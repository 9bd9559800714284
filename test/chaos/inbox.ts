import { sha256 } from '../../src/platform/kernel/hmac.pure.js';
import { type Answer, MerchantServer, type ReceivedWebhook } from '../support/merchant-server.js';
import { WEBHOOK_SECRET } from '../support/merchant-api.js';
import { seededRandom } from '../support/seeded-random.js';
import { verifyWebhook } from '../support/webhook-verifiers.js';
import type { Arrival } from './oracle.js';

/** The HTTPS endpoint of a merchant that verifies and lists every webhook, and fails some of them at random. */
export class Inbox {
  readonly arrivals: Arrival[] = [];
  /** Requests with a wrong signature. */
  readonly forged: string[] = [];
  /** Payments that were announced as completed, in the order of their first announcement. */
  readonly completed: string[] = [];
  private isWell = false;
  private readonly pick: (below: number) => number;

  private constructor(
    private readonly server: MerchantServer,
    seed: number,
  ) {
    this.pick = seededRandom(seed);
    server.choose = (webhook) => this.take(webhook);
  }

  static async start(seed: number): Promise<Inbox> {
    return new Inbox(await MerchantServer.start({ isHttps: true }), seed);
  }

  get url(): string {
    return this.server.url;
  }

  /** In PEM, for NODE_EXTRA_CA_CERTS. */
  get certificate(): string {
    return this.server.certificate;
  }

  /** From now on every request is answered 200 at once. */
  recover(): void {
    this.isWell = true;
  }

  stop(): Promise<void> {
    return this.server.down();
  }

  private take({ headers, body }: ReceivedWebhook): Answer {
    try {
      const { id, event, payment } = verifyWebhook({ headers, body }, WEBHOOK_SECRET);
      if (event === 'payment.completed' && !this.completed.includes(payment.id))
        this.completed.push(payment.id);
      const answer = this.answer();
      this.arrivals.push({
        eventId: id,
        paymentId: payment.id,
        type: event,
        bodyHash: sha256(body).toString('hex'),
        status: typeof answer === 'string' ? null : answer.status,
      });
      return answer;
    } catch (error) {
      this.forged.push(String(error));
      return { status: 400 };
    }
  }

  private answer(): Answer {
    const chance = this.isWell ? 100 : this.pick(100);
    // Never answered: the sender's timeout ends the request.
    if (chance < 3) return 'hang';
    if (chance < 6) return 'close';
    if (chance < 12) return { status: 500 };
    if (chance < 22) return { status: 200, delayMs: 20 + this.pick(120) };
    return { status: 200 };
  }
}
