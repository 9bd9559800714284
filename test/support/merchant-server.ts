import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../../src/platform/kernel/clock.pure.js';
import { freePort } from './free-port.js';
import { selfSigned } from './self-signed.js';
import { fallSilent } from './silence.js';
import { watchSignatures } from './webhook-verifiers.js';

/** One request as the merchant's endpoint got it: exact bytes. */
export interface ReceivedWebhook {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The port that it came from: the same one for requests on one connection. */
  remotePort: number;
}

/** What the body of a webhook says (specification/events.md#body), as far as tests read it. */
export interface WebhookPayload {
  id: string;
  event: string;
  createdAt: string;
  payment: Record<string, unknown> & { id: string; status: string };
}

/** How the endpoint behaves for one request. */
export type Answer =
  | {
      status: number;
      headers?: Record<string, string>;
      body?: string | Buffer;
      delayMs?: number;
      /** Holds the answer back until a test lets it go. */
      after?: Promise<unknown>;
    }
  /** Takes the request and never answers. */
  | 'hang'
  /** Sends 200 and half a body, then nothing. */
  | 'hang-in-body'
  /** Sends 200 and an endless body, as fast as it is read. */
  | 'endless-body'
  /** Drops the connection instead of an answer. */
  | 'close'
  /** Says 103 Early Hints (RFC 8297), and drops the connection. */
  | 'hints-and-close'
  /** Something that is no HTTP. */
  | 'garbage';

/**
 * A merchant's webhook endpoint, the only one of the tests: HTTP on 127.0.0.1, or HTTPS on "localhost" for a gateway in
 * the production profile. It answers as the test says, and keeps every request.
 */
export class MerchantServer {
  readonly requests: ReceivedWebhook[] = [];
  /** Bytes of endless bodies that were written. */
  bytesSent = 0;
  /** Connections that were opened, with or without a request. */
  connections = 0;
  /** Sees every request before it is answered. */
  onReceived: (webhook: ReceivedWebhook) => void = () => {};
  /** Chooses the answer to each request; null: planned answers, then the fallback. */
  choose: ((webhook: ReceivedWebhook) => Answer) | null = null;
  private readonly trusted: { secret: string; clock: Clock }[] = [];
  private readonly planned: Answer[] = [];
  private fallback: Answer = { status: 200, body: 'ok' };
  private readonly sockets = new Set<Socket>();
  private readonly waiting = new Set<() => void>();
  private server: Server | null = null;

  private constructor(
    private readonly port: number,
    private readonly tls: { cert: string; key: string } | null,
  ) {}

  static async start({ isHttps = false } = {}): Promise<MerchantServer> {
    const merchant = new MerchantServer(await freePort(), isHttps ? selfSigned('localhost') : null);
    await merchant.up();
    return merchant;
  }

  /** The endpoint's address; stays the same through {@link down} and {@link up}. */
  get url(): string {
    if (this.tls) return `https://localhost:${this.port}/webhooks`;
    return `http://127.0.0.1:${this.port}/webhooks/payments?shop=1`;
  }

  /** In PEM, for NODE_EXTRA_CA_CERTS of the gateway; empty for plain HTTP. */
  get certificate(): string {
    return this.tls?.cert ?? '';
  }

  /** From now on every request must satisfy both verifiers with one of the secrets, or the test fails. */
  trust(secret: string, clock: Clock): void {
    this.trusted.push({ secret, clock });
  }

  /** Responses to the next requests, one each; then the fallback again. */
  plan(...answers: Answer[]): void {
    this.planned.push(...answers);
  }

  /** The answer to every request without a planned one; at first 200. */
  always(answer: Answer): void {
    this.fallback = answer;
  }

  /** Resolves once `count` requests have arrived since the start. */
  async received(count: number): Promise<void> {
    while (this.requests.length < count) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  /** The bodies that arrived, read. */
  payloads(): WebhookPayload[] {
    return this.requests.map(({ body }) => JSON.parse(body.toString('utf8')) as WebhookPayload);
  }

  /** Connections refused from now on, and open ones dropped. */
  async down(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = null;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Listens (again). */
  async up(): Promise<void> {
    const take = (request: IncomingMessage, response: ServerResponse) => this.take(request, response);
    const server = this.tls ? createTlsServer(this.tls, take) : createServer(take);
    // A gateway that is killed during the handshake.
    server.on('tlsClientError', () => undefined);
    server.on('connection', (socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.server = server;
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A client that goes away in the middle is part of the game.
    request.on('error', () => response.destroy());
    request.on('end', () => {
      const received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
        remotePort: request.socket.remotePort ?? 0,
      };
      this.requests.push(received);
      watchSignatures(received, this.trusted);
      this.onReceived(received);
      this.answer(this.choose?.(received) ?? this.planned.shift() ?? this.fallback, response);
      for (const resolve of this.waiting) resolve();
      this.waiting.clear();
    });
  }

  private answer(answer: Answer, response: ServerResponse): void {
    if (answer === 'hang') return fallSilent();
    if (answer === 'close') return void response.socket?.destroy();
    if (answer === 'hints-and-close') {
      return response.writeEarlyHints({ link: '</shop.css>; rel=preload' }, () => response.socket?.destroy());
    }
    if (answer === 'garbage') return void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
    if (answer === 'hang-in-body') {
      response.writeHead(200, { 'content-length': '100' });
      // What was written is read in the next turn of the loop.
      return void response.write('half', () => setImmediate(() => setImmediate(fallSilent)));
    }
    if (answer === 'endless-body') {
      response.writeHead(200);
      return this.pour(response);
    }
    const send = () => response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
    if (answer.after) void answer.after.then(send);
    else if (answer.delayMs) setTimeout(send, answer.delayMs);
    else send();
  }

  private pour(response: ServerResponse): void {
    const block = Buffer.alloc(65_536, 'x');
    let isTaken = true;
    while (isTaken && !response.destroyed) {
      isTaken = response.write(block);
      this.bytesSent += block.length;
    }
    if (!response.destroyed) response.once('drain', () => this.pour(response));
  }
}
