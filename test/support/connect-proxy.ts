import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fallSilent } from './silence.js';

/** How the proxy behaves for one request. */
type Mood = 'tunnel' | 'hang' | 'close' | 'garbage' | { status: number };

/** An egress proxy (RFC 9110, section 9.3.6): real sockets, names resolved by itself, every request kept. */
export class ConnectProxy {
  /** `authority` as it was asked for, with what came as Proxy-Authorization. */
  readonly asked: { authority: string; host: string; authorization: string | null }[] = [];
  mood: Mood = 'tunnel';
  /** `Basic …` that it demands; null: nothing. */
  authorization: string | null = null;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly addressOf: (hostname: string) => string,
  ) {}

  /** @param addressOf where it connects to for a name: the proxy's own resolver */
  static async start(addressOf: (hostname: string) => string): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(createServer(), addressOf);
    proxy.server.on('connection', (socket) => proxy.keep(socket));
    proxy.server.on('connect', (request, socket, head) => proxy.take(request, socket as Socket, head));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private take(request: IncomingMessage, client: Socket, head: Buffer): void {
    const { url: authority = '', headers } = request;
    const authorization = headers['proxy-authorization'] ?? null;
    this.asked.push({ authority, host: headers.host ?? '', authorization });
    if (this.mood === 'hang') return fallSilent();
    if (this.mood === 'close') return void client.destroy();
    if (this.mood === 'garbage') return void client.end('SSH-2.0-OpenSSH_9.6\r\n');
    const status = authorization === this.authorization ? this.mood : { status: 407 };
    if (status !== 'tunnel') {
      return void client.end(`HTTP/1.1 ${status.status} No\r\nLocation: http://127.0.0.1:1/\r\n\r\n`);
    }
    const [, bracketed, name = '', port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(authority) ?? [];
    const target = connect(Number(port), this.addressOf(bracketed ?? name), () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(head);
      target.pipe(client).pipe(target);
    });
    this.keep(target);
    target.on('error', () => client.destroy());
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    // Either end may go away at any time.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
  }
}
