import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

const HEALTH_INTERVAL_MS = 200;

/**
 * What an operator puts in front of two API processes: asks each for its readiness, sends requests in turns to those
 * that are ready, on connections that are kept. It never sends a request twice, so that it hides nothing.
 */
export class ReverseProxy {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly ready = new Map<string, boolean>();
  private readonly timer: NodeJS.Timeout;
  private turn = 0;
  /** Requests that failed here, and were answered 502. */
  readonly failures: string[] = [];
  /** Connections that an upstream asked to close. */
  closedByUpstream = 0;

  private constructor(
    private readonly server: Server,
    private readonly upstreams: readonly string[],
  ) {
    this.timer = setInterval(() => void this.look(), HEALTH_INTERVAL_MS);
  }

  static async start(upstreams: readonly string[]): Promise<ReverseProxy> {
    const server = createServer();
    const proxy = new ReverseProxy(server, upstreams);
    server.on('request', (request, response) => proxy.handle(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await proxy.look();
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  isReady(upstream: string): boolean {
    return this.ready.get(upstream) ?? false;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.server.closeAllConnections();
    this.server.close();
    this.agent.destroy();
    await once(this.server, 'close');
  }

  private async look(): Promise<void> {
    await Promise.all(
      this.upstreams.map(async (upstream) => {
        const answer = await fetch(`${upstream}/api/health/ready`, {
          signal: AbortSignal.timeout(2_000),
          headers: { connection: 'close' },
        }).catch(() => null);
        await answer?.arrayBuffer();
        this.ready.set(upstream, answer?.ok ?? false);
      }),
    );
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    const choice = this.upstreams.filter((upstream) => this.isReady(upstream));
    const upstream = choice[this.turn++ % Math.max(choice.length, 1)];
    const fail = (reason: string) => {
      this.failures.push(`${request.method} ${request.url} at ${upstream}: ${reason}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    };
    if (upstream === undefined) return fail('no upstream is ready');
    const { method, url, headers } = request;
    const { connection: _hopByHop, ...passed } = headers;
    const forwarded = send(`${upstream}${url}`, { method, headers: passed, agent: this.agent }, (answer) => {
      if (answer.headers.connection === 'close') this.closedByUpstream++;
      const { connection: _own, 'keep-alive': _timeout, ...rest } = answer.headers;
      answer.on('error', (error) => fail(error.message));
      answer.pipe(response.writeHead(answer.statusCode ?? 502, rest));
    });
    forwarded.on('error', (error) => fail(error.message));
    request.pipe(forwarded);
  }
}
