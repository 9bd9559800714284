import { ChainCursorRepository, CursorMovedError } from '../src/chain-watcher/chain-cursor.repository.js';
import { Sql } from '../src/platform/database/sql.js';
import { WebhookHarness } from './support/webhook-harness.js';

const CHAIN = 'frozen';
const BLOCK = { height: 1, hash: '0x01', parentHash: '0x00', time: new Date(0) };
const NEXT = { height: 2, hash: '0x02', parentHash: '0x01', time: new Date(0) };
const HISTORY = { lowest: 0, markEvery: 100, lowestMark: 0 };

let harness: WebhookHarness;
let cursors: ChainCursorRepository;
let sql: Sql;
beforeAll(async () => {
  harness = await WebhookHarness.start();
  cursors = harness.gateway.get(ChainCursorRepository);
  sql = harness.gateway.get(Sql);
  await cursors.create(CHAIN, BLOCK, 1);
});
afterAll(() => harness.stop());

// A process that is frozen (SIGSTOP, a paused machine) in its transaction keeps its locks until Postgres ends it.
describe('a transaction that holds the cursor of a chain', () => {
  it.each<[string, (tx: Sql) => Promise<void>]>([
    ['holds', (tx) => cursors.hold(tx, CHAIN, BLOCK, 1)],
    ['advances', (tx) => cursors.advance(tx, CHAIN, BLOCK, [NEXT], HISTORY, 1)],
    ['moves', (tx) => cursors.move(tx, CHAIN, NEXT, BLOCK, 1)],
  ])('ends within the lease of a dead process when the process that %s it is frozen', async (_what, work) => {
    await sql.transaction(async (tx) => {
      const timeout = async () => {
        const [row] = await sql.query<{ timeout: string }>(
          `select current_setting('idle_in_transaction_session_timeout') as timeout`,
        );
        return row?.timeout;
      };
      expect(await timeout()).toBe('15s');
      await work(tx as Sql);
      expect(await timeout()).toBe('5s');
    });
  });

  it('leaves other transactions of the connection as they are', async () => {
    await expect(sql.transaction((tx) => cursors.hold(tx, CHAIN, NEXT, 1))).rejects.toThrow(CursorMovedError);
    await sql.transaction((tx) => cursors.hold(tx, CHAIN, BLOCK, 1));
    const [row] = await sql.query<{ timeout: string }>(
      `select current_setting('idle_in_transaction_session_timeout') as timeout`,
    );
    expect(row?.timeout).toBe('15s');
  });
});
