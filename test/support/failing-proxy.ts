import { once } from 'node:events';
import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { fallSilent } from './silence.js';

/** What happens to one request. */
export type Trouble =
  /** The gateway acts, but its answer gets lost. */
  | 'lose-answer'
  /** The connection breaks before the gateway hears of it. */
  | 'drop'
  /** No answer, ever. */
  | 'hang'
  /** An answer that the gateway did not give. */
  | { status: number; headers?: Record<string, string>; body: string };

/** A bad network between a client and the gateway. */
export class FailingProxy {
  /** For the next requests, one each; afterwards all pass. */
  readonly troubles: Trouble[] = [];
  /** Method and path of every request. */
  readonly seen: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {}

  static async start(target: string): Promise<FailingProxy> {
    const server = createServer();
    const proxy = new FailingProxy(server, target);
    server.on('request', (request, response) => proxy.handle(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    this.seen.push(`${request.method} ${request.url}`);
    const trouble = this.troubles.shift();
    if (trouble === 'hang') return fallSilent();
    if (trouble === 'drop') return void response.socket?.destroy();
    if (typeof trouble === 'object')
      return void response.writeHead(trouble.status, trouble.headers).end(trouble.body);
    const { method, headers } = request;
    const forwarded = send(`${this.target}${request.url}`, { method, headers }, (answer) => {
      if (trouble === 'lose-answer') return void answer.resume().on('end', () => response.socket?.destroy());
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  }
}
