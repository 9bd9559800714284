import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Counter } from 'prom-client';
import { boundOfTotal, type ConnectionBounds, limitConnections } from './connection-limits.js';

const sockets: Socket[] = [];
let server: Server;
let dropped: Counter<'reason'>;

async function listen(bounds: Partial<ConnectionBounds>, trusted: string[] = []): Promise<void> {
  dropped = new Counter({ name: 'dropped', help: 'Dropped.', labelNames: ['reason'], registers: [] });
  server = createServer((_request, response) => response.end('hello'));
  limitConnections(
    server,
    { total: 100, perAddress: 100, firstRequestMs: 10_000, ...bounds },
    (address) => trusted.includes(address),
    dropped,
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}
/** Opens a connection from an address of this machine. */
async function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** What the server sends until it closes the connection; null while it stays open. */
async function request(socket: Socket): Promise<string | null> {
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString()));
  const closed = once(socket, 'close').then(() => text || 'closed');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return closed;
}

const counts = async () => (await dropped.get()).values.map(({ labels, value }) => [labels.reason, value]);

describe('limitConnections', () => {
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  it('closes connections of an address beyond its number, and admits it again after one has ended', async () => {
    await listen({ perAddress: 2 });
    const [first, second] = [await open(), await open()];
    expect(await request(await open())).toBe('closed');
    expect(await request(await open('127.0.0.2'))).toContain('200 OK');
    first.destroy();
    expect(await request(second)).toContain('200 OK');
    expect(await request(await open())).toContain('200 OK');
    expect(await counts()).toEqual([['address', 1]]);
  });

  it('does not bound the connections of a trusted proxy', async () => {
    await listen({ perAddress: 1 }, ['127.0.0.1']);
    const all = [await open(), await open(), await open()];
    for (const socket of all) expect(await request(socket)).toContain('200 OK');
  });

  it('closes connections beyond the total', async () => {
    await listen({ total: 1 });
    await open();
    expect(await request(await open('127.0.0.2'))).toBe('closed');
    expect(await counts()).toEqual([['total', 1]]);
  });

  it('closes a connection that sends no request in time, and keeps one that has sent one', async () => {
    // The request must arrive before it on a busy machine, too.
    await listen({ firstRequestMs: 2_000 });
    const [silent, active] = [await open(), await open()];
    const ended = once(silent, 'close');
    active.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await ended;
    expect(active.destroyed).toBe(false);
    expect(await request(active)).toContain('200 OK');
    expect(await counts()).toEqual([['silent', 1]]);
  });
});

it.each([
  [4_096, 20_000, 4_096],
  [4_096, 8_192, 4_096],
  [4_096, 8_190, 4_095],
  [4_096, 1_024, 512],
  [4_096, null, 4_096],
])('of %i configured connections and %s open files, %i connections are used', (configured, files, used) => {
  expect(boundOfTotal(configured, files)).toBe(used);
});
