import { jest } from '@jest/globals';
import { afterCommit, currentUnitOfWork } from '../src/platform/database/unit-of-work.js';
import { PollingLoops } from '../src/platform/database/polling-loop.js';
import { LoopName } from '../src/platform/kernel/loop-name.pure.js';
import { isTransient } from '../src/platform/database/database-errors.pure.js';
import type { Sql } from '../src/platform/database/sql.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;
let sql: Sql;

beforeAll(async () => {
  gateway = await startTestGateway();
  ({ sql } = gateway);
  await sql.query('create table notes (text text primary key)');
});
beforeEach(() => sql.query('delete from notes'));
afterAll(() => gateway.close());

const write = (text: string) => sql.query('insert into notes values ($1)', [text]);
const notes = async () =>
  (await sql.query<{ text: string }>('select text from notes order by text')).map(({ text }) => text);
/** What others see. */
const seen = () => new Promise<string[]>((resolve) => setImmediate(() => resolve(notes())));

describe('statements of a transaction', () => {
  const WRITE = 'insert into notes values ($1)';
  const READ = 'select text from notes order by text';

  it('run in order when sent together, each seeing the earlier ones', async () => {
    const read = await sql.transaction((tx) =>
      Promise.all([tx.query(WRITE, ['a']), tx.query(READ), tx.query(WRITE, ['b']), tx.query(READ)]),
    );
    expect(read).toEqual([[], [{ text: 'a' }], [], [{ text: 'a' }, { text: 'b' }]]);
  });

  it('leave in one write when sent together', async () => {
    const writes = await sql.transaction(async (tx) => {
      const stream = currentUnitOfWork()?.client.connection.stream;
      if (!stream?._writev) throw new Error('the connection has no stream');
      const write = jest.spyOn(stream, '_writev');
      const count = async (send: () => Promise<unknown>) => {
        write.mockClear();
        await send();
        return write.mock.calls.length;
      };
      const together = await count(() => Promise.all(['a', 'b', 'c'].map((text) => tx.query(WRITE, [text]))));
      const apart = await count(async () => {
        for (const text of ['d', 'e', 'f']) await tx.query(WRITE, [text]);
      });
      write.mockRestore();
      return { together, apart };
    });
    expect(writes).toEqual({ together: 1, apart: 3 });
  });

  it('are all rolled back when one fails, and the connection stays usable', async () => {
    const work = sql.transaction((tx) =>
      Promise.all([tx.query(WRITE, ['a']), tx.query(WRITE, ['a']), tx.query(WRITE, ['c'])]),
    );
    await expect(work).rejects.toThrow('duplicate key');
    expect(await notes()).toEqual([]);
    expect(sql.connections().busy).toBe(0);
    await sql.transaction((tx) => tx.query(WRITE, ['d']));
    expect(await notes()).toEqual(['d']);
  });

  it.each([
    ['a transaction', (work: () => Promise<unknown>) => sql.transaction(work)],
    ['a savepoint', (work: () => Promise<unknown>) => sql.transaction(() => sql.transaction(work))],
  ])('fail %s by the first error, also where that of a later one is seen first', async (_where, within) => {
    const work = within(async () => {
      const first = sql.query('select 1 / 0');
      first.catch(() => undefined);
      await sql.query('select 1');
    });
    await expect(work).rejects.toThrow('division by zero');
  });

  it('fail when COMMIT rolled back instead', async () => {
    const work = sql.transaction(async (tx) => {
      await tx.query(WRITE, ['a']);
      await tx.query(WRITE, ['a']).catch(() => null);
    });
    await expect(work).rejects.toThrow('rolled back: a statement in it had failed');
    expect(await notes()).toEqual([]);
  });
});

describe('a unit of work', () => {
  it('commits queries and transactions of the service as one', async () => {
    const result = await sql.unitOfWork(async (tx) => {
      await tx.query(`insert into notes values ('a')`);
      await write('b');
      await sql.transaction(async (nested) => {
        await nested.query(`insert into notes values ('c')`);
        await write('d');
      });
      expect(await notes()).toEqual(['a', 'b', 'c', 'd']);
      return 'done';
    });
    expect([result, await notes()]).toEqual(['done', ['a', 'b', 'c', 'd']]);
  });

  it('stores nothing when it fails', async () => {
    const work = sql.unitOfWork(async () => {
      await write('a');
      await sql.transaction(() => write('b'));
      throw new Error('late');
    });
    await expect(work).rejects.toThrow('late');
    expect(await notes()).toEqual([]);
  });

  it('continues after a failed transaction inside it', async () => {
    await sql.unitOfWork(async () => {
      await write('a');
      const nested = sql.transaction(async () => {
        await write('b');
        await sql.transaction(() => write('c'));
        await write('a');
      });
      await expect(nested).rejects.toThrow('duplicate key');
      await write('d');
    });
    expect(await notes()).toEqual(['a', 'd']);
  });

  it('runs concurrent transactions inside it one after the other', async () => {
    const order: string[] = [];
    await sql.unitOfWork(async () => {
      const outcomes = await Promise.allSettled(
        ['a', 'b', 'c'].map((text) =>
          sql.transaction(async () => {
            order.push(`begin ${text}`);
            await write(text);
            await sql.transaction(() => write(`${text}${text}`));
            order.push(`end ${text}`);
            if (text === 'b') throw new Error('b fails');
          }),
        ),
      );
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    });
    expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c']);
    expect(await notes()).toEqual(['a', 'aa', 'c', 'cc']);
  });

  it('is retried as a whole after a deadlock inside it', async () => {
    let turns = 0;
    await sql.unitOfWork(async () => {
      turns++;
      await write('a');
      await sql.transaction(async (tx) => {
        await write('b');
        if (turns === 1) await tx.query(`do $$ begin raise exception 'x' using errcode = '40P01'; end $$`);
      });
    });
    expect([turns, await notes()]).toEqual([2, ['a', 'b']]);
  });

  it('does not nest', async () => {
    await expect(sql.unitOfWork(() => sql.unitOfWork(async () => undefined))).rejects.toThrow(
      'inside another',
    );
  });

  it('is not used by work that outlives it', async () => {
    let leaked: Promise<unknown> = Promise.resolve();
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    await sql.unitOfWork(async () => {
      leaked = ended.then(() => {
        expect(currentUnitOfWork()).toBeNull();
        return write('late');
      });
    });
    // The connection's current user is not affected.
    await sql.transaction(async () => {
      end();
      await leaked;
    });
    expect(await notes()).toEqual(['late']);
  });
});

describe('an after-commit hint', () => {
  it('runs after the commit, outside of the transaction', async () => {
    const hinted: Promise<string[]>[] = [];
    await sql.unitOfWork(async () => {
      await write('a');
      afterCommit(() => {
        expect(currentUnitOfWork()).toBeNull();
        hinted.push(seen());
      });
      expect(hinted).toEqual([]);
    });
    expect(await Promise.all(hinted)).toEqual([['a']]);
  });

  it('runs once although the work ran twice, and never after a rollback', async () => {
    let turns = 0;
    let hints = 0;
    await sql.unitOfWork(async (tx) => {
      afterCommit(() => hints++);
      if (++turns === 1) await tx.query(`do $$ begin raise exception 'x' using errcode = '40001'; end $$`);
    });
    expect([turns, hints]).toEqual([2, 1]);
    const failing = sql.unitOfWork(async () => {
      afterCommit(() => hints++);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(hints).toBe(1);
  });

  it('runs at once outside of a unit of work', () => {
    let hints = 0;
    afterCommit(() => hints++);
    expect(hints).toBe(1);
  });

  it('wakes a loop after the commit', async () => {
    const other = await startTestGateway();
    Object.defineProperty(other.get(PollingLoops), 'config', { value: { ...other.config, loops: true } });
    const turns: string[] = [];
    other
      .get(PollingLoops)
      .start({ name: LoopName.Refunds, role: 'worker', intervalMs: 3_600_000 }, async () => {
        turns.push(currentUnitOfWork() ? 'inside' : 'outside');
        return false;
      });
    await other.sql.unitOfWork(async () => {
      other.get(PollingLoops).wake(LoopName.Refunds);
      await other.sql.query('select 1');
      expect(turns).toEqual(['outside']);
    });
    await other.sql.query('select 1');
    expect(turns).toEqual(['outside', 'outside']);
    await other.close();
  });
});

describe('a connection that is cut', () => {
  it('between two queries of a transaction fails the transaction, not the process', async () => {
    let hasEnded = false;
    const work = sql.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      // On other connections: nothing is sent on the transaction's own while it breaks.
      await sql.queryApart('select pg_terminate_backend($1)', [row?.pid]);
      const alive = 'select 1 from pg_stat_activity where pid = $1';
      while ((await sql.queryApart(alive, [row?.pid])).length > 0) continue;
      hasEnded = true;
      await tx.query('select 1');
    });
    // pg's message depends on what it notices first: the end of the connection, or that it cannot be written to.
    const failure = await work.catch((error: unknown) => error);
    expect(failure instanceof Error && isTransient(failure)).toBe(true);
    // The transaction failed at its next query, and not while the connection was cut.
    expect(hasEnded).toBe(true);
    expect(await notes()).toEqual([]);
  });
});
