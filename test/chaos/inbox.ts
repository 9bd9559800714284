import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { sha256 } from '../../src/platform/security/hmac.pure.js';
import { verifyWebhook } from '../support/webhook-verifiers.js';
import { seededRandom } from '../support/seeded-random.js';
import { selfSigned } from '../support/self-signed.js';
import type { Arrival } from './oracle.js';

/** Of the webhooks' signatures. */
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A merchant's webhook endpoint: verifies, keeps a list of what came, and is ill now and then. */
export class Inbox {
  readonly arrivals: Arrival[] = [];
  /** Requests whose signatures do not hold. */
  readonly forged: string[] = [];
  /** Payments that were announced as completed, in the order of their first announcement. */
  readonly completed: string[] = [];
  private isWell = false;
  private readonly pick: (below: number) => number;

  private constructor(
    private readonly server: Server,
    seed: number,
    /** For NODE_EXTRA_CA_CERTS. */
    readonly certificate: string,
  ) {
    this.pick = seededRandom(seed);
  }

  static async start(seed: number): Promise<Inbox> {
    const { cert, key } = selfSigned('localhost');
    const server = createServer({ cert, key });
    const inbox = new Inbox(server, seed, cert);
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      inbox.take(request, response),
    );
    // A gateway that dies in the middle is the game.
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return inbox;
  }

  get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}/webhooks`;
  }

  /** From now on every request is answered 200 at once. */
  recover(): void {
    this.isWell = true;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('error', () => response.destroy());
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      try {
        const { id, event, payment } = verifyWebhook({ headers: request.headers, body }, SECRET);
        if (event === 'payment.completed' && !this.completed.includes(payment.id))
          this.completed.push(payment.id);
        const arrival: Arrival = {
          eventId: id,
          paymentId: payment.id,
          type: event,
          bodyHash: sha256(body).toString('hex'),
          status: null,
        };
        this.arrivals.push(arrival);
        this.answer(arrival, response);
      } catch (error) {
        this.forged.push(String(error));
        response.writeHead(400).end();
      }
    });
  }

  private answer(arrival: Arrival, response: ServerResponse): void {
    const ill = this.isWell ? 100 : this.pick(100);
    const send = (status: number) => {
      arrival.status = status;
      response.writeHead(status).end();
    };
    // No answer, ever: the sender's deadline ends it.
    if (ill < 3) return;
    if (ill < 6) return void response.socket?.destroy();
    if (ill < 12) return send(500);
    if (ill < 22) return void setTimeout(() => send(200), 20 + this.pick(120));
    send(200);
  }
}
