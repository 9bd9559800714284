import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { selfSigned } from '../support/self-signed.js';

/** One event as the merchant heard of it. */
export interface Heard {
  id: string;
  event: string;
  paymentId: string;
}

/** A merchant's webhook endpoint: real HTTPS on "localhost", and every body that came. */
export class MerchantEndpoint {
  readonly heard: Heard[] = [];
  /** Milliseconds before each answer. */
  delayMs = 0;
  /** Requests whose answer is still to come. */
  underWay = 0;

  private constructor(
    private readonly server: Server,
    /** In PEM, for NODE_EXTRA_CA_CERTS. */
    readonly certificate: string,
  ) {}

  static async start(): Promise<MerchantEndpoint> {
    const { cert, key } = selfSigned('localhost');
    const server = createServer({ cert, key });
    const endpoint = new MerchantEndpoint(server, cert);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
          id: string;
          event: string;
          payment: { id: string };
        };
        endpoint.heard.push({ id: body.id, event: body.event, paymentId: body.payment.id });
        endpoint.underWay++;
        void delay(endpoint.delayMs).then(() => {
          endpoint.underWay--;
          response.end('ok');
        });
      });
    });
    await once(server.listen(0), 'listening');
    return endpoint;
  }

  get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}/webhooks`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
