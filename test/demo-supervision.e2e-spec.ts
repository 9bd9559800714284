import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type DevLitecoin, startDevLitecoin } from '../src/demo/dev-litecoin.js';
import { startEmbeddedPostgres } from '../src/demo/embedded-postgres.js';
import { callRpc } from '../src/demo/json-rpc.js';
import { waitUntilGone } from '../src/demo/processes.js';
import { poll } from '../src/demo/faucet/poll.js';

let folder: string;
let messages: string[];
const logger = { info: () => undefined, warn: (message: string) => void messages.push(message) };
beforeEach(async () => {
  messages = [];
  folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-supervision-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What it answers once it answers again. */
function again<T>(ask: () => Promise<T>): Promise<T> {
  // Refused while it starts, for whatever reason.
  return poll('an answer', 60_000, () => ask().catch(() => null));
}

async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await waitUntilGone(pid, 10_000);
}

describe('a service of the development profile that is killed', () => {
  it('Postgres: starts again, with what was committed', async () => {
    const postgres = await startEmbeddedPostgres({
      dataDir: folder,
      durable: true,
      isSupervised: true,
      logger,
    });
    const query = async (text: string) => {
      const client = new pg.Client({ connectionString: postgres.url });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query<object>(text)).rows;
      } finally {
        await client.end();
      }
    };
    try {
      await query('create table kept as select 3 as n');
      await kill(postgres.pid);
      expect(await again(() => query('select n from kept'))).toEqual([{ n: 3 }]);
      expect(messages).toEqual(['Postgres has ended, and is started again']);
    } finally {
      await postgres.stop();
    }
  });

  it('litecoind: starts again at the same address, with every block that it had', async () => {
    const litecoin: DevLitecoin | null = await startDevLitecoin(folder, logger);
    if (!litecoin) return void process.stdout.write('skipped: litecoind is not installed\n');
    try {
      const height = Number(await callRpc(litecoin.rpcUrl, 'getblockcount'));
      const hash = await callRpc(litecoin.rpcUrl, 'getblockhash', [height]);
      await kill(litecoin.pid);
      expect(await again(() => callRpc(litecoin.rpcUrl, 'getblockhash', [height]))).toBe(hash);
      expect(messages).toContain('litecoind has ended, and is started again');
    } finally {
      await litecoin.stop();
    }
  });
});

it('names a node that does not answer', async () => {
  const server = net.createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  try {
    await expect(callRpc(`http://127.0.0.1:${port}`, 'eth_chainId', [], 50)).rejects.toThrow(
      `the node of the development profile at http://127.0.0.1:${port} has not answered eth_chainId for 0.05 s`,
    );
  } finally {
    server.close();
  }
});
