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
  private readonly misses = new Map<string, number>();
  private isLooking = false;
  private readonly timer: NodeJS.Timeout;
  private turn = 0;
  /** Requests that failed here, and were answered 502. */
  readonly failures: string[] = [];
  /** Connections that an upstream asked to close. */
  closedByUpstream = 0;

  private constructor(
    private readonly server: Server,
    private readonly upstreams: readonly string[],
    private readonly fall: number,
  ) {
    this.timer = setInterval(() => void this.look(), HEALTH_INTERVAL_MS);
  }

  /** @param fall failed checks in a row after which an upstream gets no more requests (HAProxy's word; its default: 3) */
  static async start(upstreams: readonly string[], fall = 1): Promise<ReverseProxy> {
    const server = createServer();
    const proxy = new ReverseProxy(server, upstreams, fall);
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
    if (this.isLooking) return;
    this.isLooking = true;
    await Promise.all(this.upstreams.map((upstream) => this.lookAt(upstream)));
    this.isLooking = false;
  }

  private async lookAt(upstream: string): Promise<void> {
    const answer = await ask(`${upstream}/api/health/ready`).catch(() => null);
    const misses = answer?.ok ? 0 : (this.misses.get(upstream) ?? 0) + 1;
    this.misses.set(upstream, misses);
    if (misses === 0 || misses >= this.fall) this.ready.set(upstream, misses === 0);
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

async function ask(url: string): Promise<Response> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000), headers: { connection: 'close' } });
  await answer.arrayBuffer();
  return answer;
}
