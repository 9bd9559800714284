import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.js';

/** A server in the operator's network that must not be reached: it counts connections and sends nothing. */
export class CanaryServer {
  /** Connections, whatever came over them. */
  hits = 0;
  private readonly sockets = new Set<Socket>();
  private readonly servers: Server[] = [];

  private constructor(readonly port: number) {}

  /** @param hosts local addresses; `::` is all of them, IPv4 included */
  static async start(hosts: string[], port?: number): Promise<CanaryServer> {
    const canary = new CanaryServer(port ?? (await freePort()));
    for (const host of hosts) await canary.listen(host);
    return canary;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    for (const server of this.servers) {
      server.close();
      await once(server, 'close');
    }
  }

  private async listen(host: string): Promise<void> {
    const server = createServer((socket) => {
      this.hits += 1;
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => this.sockets.delete(socket));
      // The client learns at once that this is not TLS.
      socket.end();
    });
    server.listen(this.port, host);
    await once(server, 'listening');
    this.servers.push(server);
  }
}
