import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of the gateway that changes the text of its responses: a hostile CDN, or a stolen TLS key. */
export class RewritingProxy {
  /** What is done to each body. */
  rewrite: (text: string) => string = (text) => text;

  private constructor(
    private readonly server: Server,
    private readonly upstream: () => string,
  ) {}

  /** @param upstream the address of the gateway at the moment */
  static async start(upstream: () => string): Promise<RewritingProxy> {
    const server = createServer();
    const proxy = new RewritingProxy(server, upstream);
    server.on('request', (request, response) => {
      const headers = { authorization: request.headers.authorization ?? '' };
      void fetch(`${proxy.upstream()}${request.url}`, { headers }).then(async (answer) => {
        const type = answer.headers.get('content-type') ?? '';
        response.writeHead(answer.status, { 'content-type': type });
        response.end(proxy.rewrite(await answer.text()));
      });
    });
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
}
