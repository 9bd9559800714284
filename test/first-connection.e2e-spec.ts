import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../src/platform/database/database.js';
import { initialize } from '../src/platform/schema/initialize.js';
import { createTestDatabase } from './support/test-gateway.js';

/** A way to the database that cuts the first connections. */
async function startRelay(target: URL, cuts: number): Promise<{ server: Server; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    if (connections <= cuts) return socket.destroy();
    const folder = target.searchParams.get('host');
    const upstream = folder
      ? connect(`${folder}/.s.PGSQL.${target.port}`)
      : connect(Number(target.port), target.hostname);
    socket.pipe(upstream).pipe(socket);
    for (const each of [socket, upstream]) each.on('error', () => each.destroy());
    return socket;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, connections: () => connections };
}

describe('the first connection to the database', () => {
  let server: Server;
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  async function open(cuts: number, role?: string): Promise<{ error: unknown; connections: number }> {
    const url = new URL(await createTestDatabase());
    const relay = await startRelay(new URL(url), cuts);
    server = relay.server;
    url.searchParams.delete('host');
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    if (role !== undefined) url.username = role;
    const dataSource = new DataSource(dataSourceOptions(url.href, 1));
    try {
      await initialize(dataSource, 'DATABASE_URL');
      await dataSource.destroy();
      return { error: null, connections: relay.connections() };
    } catch (error) {
      return { error, connections: relay.connections() };
    }
  }

  it('is tried again when it is cut', async () => {
    expect(await open(2)).toEqual({ error: null, connections: 3 });
  });

  it('fails with its error when it is cut three times', async () => {
    const { error, connections } = await open(3);
    expect(error).toMatchObject({ message: 'DATABASE_URL: Connection terminated unexpectedly' });
    expect(connections).toBe(3);
  });

  it('is not tried again when the database refuses the role', async () => {
    const { error, connections } = await open(0, 'nobody-of-this-name');
    expect(error).toMatchObject({
      message: expect.stringMatching(/^DATABASE_URL: .*nobody-of-this-name/) as string,
    });
    expect(connections).toBe(1);
  });
});
