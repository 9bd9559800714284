import type { Sql } from '../src/common/sql.js';
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

const WRITE = 'insert into notes values ($1)';
const READ = 'select text from notes order by text';
const notes = () => sql.query<{ text: string }>(READ);

it('runs statements that are handed over together in their order, each seeing what came before', async () => {
  const read = await sql.transaction((tx) =>
    Promise.all([tx.query(WRITE, ['a']), tx.query(READ), tx.query(WRITE, ['b']), tx.query(READ)]),
  );
  expect(read).toEqual([[], [{ text: 'a' }], [], [{ text: 'a' }, { text: 'b' }]]);
});

it('leaves nothing of statements of which one fails, and its connection is as good as before', async () => {
  const work = sql.transaction((tx) =>
    Promise.all([tx.query(WRITE, ['a']), tx.query(WRITE, ['a']), tx.query(WRITE, ['c'])]),
  );
  await expect(work).rejects.toThrow('duplicate key');
  expect(await notes()).toEqual([]);
  expect(sql.connections().busy).toBe(0);
  await sql.transaction((tx) => tx.query(WRITE, ['d']));
  expect(await notes()).toEqual([{ text: 'd' }]);
});

it('does not take a commit for one that undid everything', async () => {
  const work = sql.transaction(async (tx) => {
    await tx.query(WRITE, ['a']);
    await tx.query(WRITE, ['a']).catch(() => null);
  });
  await expect(work).rejects.toThrow('undone');
  expect(await notes()).toEqual([]);
});
