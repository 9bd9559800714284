import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What happens to the next COMMITs. */
export type CommitTrouble =
  /** The server commits; the connection breaks before anybody hears of it. */
  | 'lose-answer'
  /** The connection breaks before the server hears of it; it rolls back. */
  | 'never-sent';

const COMMIT = Buffer.from('\u0000\u0000\u0000\u000bcommit\u0000', 'latin1');

/** ReadyForQuery, outside of a transaction. */
const READY = Buffer.from('Z\u0000\u0000\u0000\u0005I', 'latin1');
const TERMINATED = errorResponse('57P01', 'terminating connection due to administrator command');

/** FATAL, as the server says it. */
function errorResponse(sqlState: string, message: string): Buffer {
  const fields = `SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`;
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, Buffer.from(fields, 'latin1')]);
}

/** The network between the gateway and Postgres. */
export class DatabaseProxy {
  /** Which COMMITs are cut: every so many of them; 0 none. */
  private every = 0;
  private commits = 0;
  private isSwallowing = false;
  private readonly swallowed = new Set<[Socket, Socket]>();
  readonly cut: Record<CommitTrouble, number> = { 'lose-answer': 0, 'never-sent': 0 };
  /** New connections that are still to be terminated in the moment in which they are made. */
  terminateNew = 0;
  /** Connections break on which a statement with this text is sent. */
  cutStatementsWith: string | null = null;
  cutStatements = 0;
  private readonly pairs = new Set<[Socket, Socket]>();

  private constructor(
    private readonly server: Server,
    private readonly target: () => string,
  ) {}

  /** @param target path of the server's socket */
  static async start(target: () => string): Promise<DatabaseProxy> {
    const server = createServer();
    const proxy = new DatabaseProxy(server, target);
    server.on('connection', (client) => proxy.join(client));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  url(database: string): string {
    const { port } = this.server.address() as AddressInfo;
    return `postgres://gateway@127.0.0.1:${port}/${database}?sslmode=disable`;
  }

  get connections(): number {
    return this.pairs.size;
  }

  /** From now on every so many COMMITs, in turns one lost on its way there and one on its way back; 0 none. */
  cutEvery(commits: number): void {
    this.every = commits;
  }

  /** Nothing passes any more on today's connections, and none of them is closed: as when a host vanishes. */
  swallow(): void {
    this.isSwallowing = true;
    for (const pair of this.pairs) this.pause(pair);
  }

  /** New connections pass again; what was swallowed stays so. */
  passAgain(): void {
    this.isSwallowing = false;
  }

  /** The server finds out, as by its keepalive, that the swallowed connections are dead. */
  endSwallowed(): void {
    for (const pair of this.swallowed) for (const socket of pair) socket.destroy();
    this.swallowed.clear();
  }

  /** A reset of every connection. */
  reset(): number {
    const { size } = this.pairs;
    for (const [client, server] of this.pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
    return size;
  }

  async stop(): Promise<void> {
    this.reset();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    const server = connect(this.target());
    const pair: [Socket, Socket] = [client, server];
    this.pairs.add(pair);
    let [isLosing, isNew] = [false, true];
    const end = () => {
      this.pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    client.setNoDelay(true);
    client.on('data', (bytes) => {
      if (this.cutStatementsWith !== null && bytes.includes(this.cutStatementsWith)) {
        this.cutStatements++;
        return end();
      }
      const trouble = this.troubleOf(bytes);
      if (trouble === 'never-sent') return end();
      isLosing = trouble === 'lose-answer';
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      // The server answers a COMMIT when it is done, and not before.
      if (isLosing) return end();
      const isReady = isNew && bytes.subarray(-READY.length).equals(READY);
      if (isReady) isNew = false;
      if (!isReady || this.terminateNew === 0) return void client.write(bytes);
      this.terminateNew--;
      // In one piece with the welcome: the client that gets the connection reads nothing before its end.
      client.end(Buffer.concat([bytes, TERMINATED]));
      server.destroy();
    });
    if (this.isSwallowing) this.pause(pair);
  }

  private pause(pair: [Socket, Socket]): void {
    this.swallowed.add(pair);
    for (const socket of pair) socket.pause();
  }

  private troubleOf(bytes: Buffer): CommitTrouble | null {
    if (this.every === 0 || bytes[0] !== 0x51 || !bytes.subarray(1).equals(COMMIT)) return null;
    if (++this.commits % this.every !== 0) return null;
    const trouble = (this.commits / this.every) % 2 === 0 ? 'lose-answer' : 'never-sent';
    this.cut[trouble]++;
    return trouble;
  }
}
