/** @inOrder One database, whose archive is written again and again as it grows. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { STANDARD_EVENTS } from '../src/applications/event-types.pure.js';
import { runCli } from '../src/cli.js';
import {
  type Manifest,
  manifestLine,
  nextDigest,
  paymentLine,
  START,
} from '../src/operations/archive/archive-format.pure.js';
import { ARCHIVED_TABLES } from '../src/operations/archive/archived-payment.pure.js';
import { PaymentArchive } from '../src/operations/archive/payment-archive.service.js';
import { EXPORTED_TABLES } from '../src/operations/accounts/exported-tables.pure.js';
import { signingKeyOf } from '../src/platform/kernel/signing-key.pure.js';
import { NEW_KEY } from './support/audit-harness.js';
import { CUSTOMER, RefundsApi } from './support/refunds-api.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

type Row = Record<string, unknown>;
interface Line {
  line: number;
  digest: string;
  records: Record<string, Row[]>;
}

/** The condition that a row is of the payment $1, where the row does not name it. */
const OWNERS: Record<string, string> = {
  payments: 'id = $1',
  refund_history: 'refund_id in (select id from refunds where payment_id = $1)',
  webhook_attempts: 'delivery_id in (select id from webhook_deliveries where payment_id = $1)',
};
/** More than are read at once. */
const MANY_OPEN = 101;

let shop: Shop;
let application: ShopApplication;
let work: string;
let count = 0;
/** After the creation of all payments but {@link later}. */
let before: string;
/** In the order of their creation. */
const finished: Record<'paid' | 'cancelled' | 'refunded', CreatedPayment> = {} as never;
let later: CreatedPayment;
/** Cancelled, and then paid. */
let late: CreatedPayment;
/** Of all finished payments. */
let lines: string[];
let key: string;
const newFile = () => path.join(work, `${++count}.jsonl`);
const cancel = (payment: CreatedPayment, { clientToken } = application) =>
  shop.call('POST', `/api/payment/${payment.id}/cancel`, clientToken);

async function cli(args: string[], environment: NodeJS.ProcessEnv = shop.gateway.environment) {
  const [output, errors]: [string[], string[]] = [[], []];
  const code = await runCli(args, environment, {
    input: (async function* () {})(),
    write: (text) => output.push(text),
    writeError: (text) => errors.push(text),
  });
  return { code, output: output.join(''), errors: errors.join('') };
}

async function archived(time = before) {
  const file = newFile();
  const { code, output, errors } = await cli(['archive-payments', '--before', time, '--to', file]);
  expect([code, errors]).toEqual([0, '']);
  return { file, output, lines: await linesOf(file) };
}

const linesOf = async (file: string) => (await readFile(file, 'utf8')).split('\n').slice(0, -1);
const read = (line: string | undefined) => JSON.parse(line ?? '') as Line;
const idOf = (line: string) => read(line).records['payments']?.[0]?.['id'];
const manifestOf = (all: string[]) => (JSON.parse(all.at(-1) ?? '') as { manifest: Manifest }).manifest;

beforeAll(async () => {
  work = await mkdtemp(path.join(os.tmpdir(), 'payment-archive-'));
  shop = await Shop.open();
  application = await shop.application();
  const api = new RefundsApi(shop, application);
  finished.paid = await api.paid({ reference: 'ORDER-1', metadata: { note: 'line\u2028one\ntwo' } });

  // Each has something open.
  for (let i = 0; i < MANY_OPEN; i++) await shop.createPayment(application);
  await api.create(await api.paid());
  late = await shop.createPayment(application);
  const address = await shop.instructions(late);
  await cancel(late);
  const listed = await shop.application({
    name: 'Gets every event',
    events: [...STANDARD_EVENTS, 'payment.cancelled'],
  });
  const undelivered = await shop.createPayment(listed);

  finished.cancelled = await shop.createPayment(application);
  await cancel(finished.cancelled);
  finished.refunded = await api.paid({}, 'usdc');
  const refund = await api.create(finished.refunded, { address: CUSTOMER });

  // What comes later is dated later, because this moves the clock.
  before = new Date(shop.gateway.clock.now().getTime() + 1_000).toISOString().replace('.000', '');
  expect((await api.settleRefund(refund)).status).toBe('COMPLETED');
  shop.merchant.always({ status: 500 });
  await cancel(undelivered, listed);
  await shop.deliver();
  shop.merchant.always({ status: 200 });
  later = await api.paid();
  await shop.send(address);
  await shop.mine();
  const archive = await archived();
  ({ lines } = archive);
  key = /^key: +(\S+)$/m.exec(archive.output)?.[1] ?? '';
}, 300_000);
afterAll(async () => {
  await shop.close();
  await rm(work, { recursive: true });
});

describe('archive-payments', () => {
  it('writes finished payments that are older than the date, in their order, and counts open ones', async () => {
    const { output, lines: all } = await archived();
    expect(all.slice(0, -1).map(idOf)).toEqual(Object.values(finished).map(({ id }) => id));
    expect(await shop.status(later)).toBe('CONFIRMED');
    expect(
      output
        .split('\n')
        .filter((line) => line.startsWith('left out: '))
        .toSorted(),
    ).toEqual([
      'left out: 1 with a refund that is not over',
      'left out: 1 with a transfer that is not confirmed',
      'left out: 1 with a webhook that was not delivered',
      `left out: ${MANY_OPEN} not finished`,
    ]);
    expect(manifestOf(all)).toEqual({
      format: 'payment-archive-1',
      payments: 3,
      head: read(all[2]).digest,
      first: finished.paid.id,
      last: finished.refunded.id,
      open: MANY_OPEN + 3,
      before: before.replace('Z', '.000Z'),
      archivedAt: expect.stringMatching(/Z$/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      commit: expect.any(String),
      lineage: expect.stringMatching(/\//),
    });
  });

  it('writes every row of a payment, with the evidence of the chain', async () => {
    for (const line of lines.slice(0, -1)) {
      const { records } = read(line);
      const id = String(records['payments']?.[0]?.['id']);
      expect(Object.keys(records)).toEqual(ARCHIVED_TABLES);
      for (const table of ARCHIVED_TABLES) {
        const [stored] = await shop.gateway.sql.query<{ rows: number }>(
          `select count(*)::int as rows from ${table} where ${OWNERS[table] ?? 'payment_id = $1'}`,
          [id],
        );
        expect([table, records[table]?.length]).toEqual([table, stored?.rows]);
        for (const row of records[table] ?? [])
          expect([table, Object.keys(row)]).toEqual([table, EXPORTED_TABLES[table]?.fields]);
      }
    }
    const { payment_transfers: [transfer] = [], payment_events: [event] = [] } = read(lines[0]).records;
    const [shown] = (await shop.payment(finished.paid)).transactions;
    expect(transfer).toMatchObject({
      txHash: shown?.txHash,
      amount: '50000000000000000',
      state: 'confirmed',
    });
    const block = (await shop.chain.rpc('eth_getBlockByHash', [transfer?.['blockHash'], false])) as {
      number: string;
      transactions: string[];
    };
    expect(block.transactions).toContain(shown?.txHash);
    expect(transfer?.['blockHeight']).toBe(String(Number(block.number)));
    expect(JSON.parse(String(event?.['body']))).toMatchObject({ payment: { id: finished.paid.id } });
    const { refunds, refund_history: history } = read(lines[2]).records;
    expect([refunds?.[0]?.['status'], history?.at(-1)?.['toStatus']]).toEqual(['COMPLETED', 'COMPLETED']);
  });

  it('knows every table with rows of a payment', async () => {
    const tables = await shop.gateway.sql.query<{ name: string }>(
      `with recursive below (oid) as (
         select 'payments'::regclass::oid
         union select f.conrelid from pg_constraint f join below on f.confrelid = below.oid where f.contype = 'f')
       select oid::regclass::text as name from below`,
    );
    expect(tables.map(({ name }) => name).filter((name) => !ARCHIVED_TABLES.includes(name))).toEqual([]);
  });

  it('writes the same lines again, in a file that only its owner can read', async () => {
    const { file, lines: again } = await archived();
    expect(again.slice(0, -1)).toEqual(lines.slice(0, -1));
    expect({ ...manifestOf(again), archivedAt: null }).toEqual({ ...manifestOf(lines), archivedAt: null });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('leaves an entry in the audit log with the head', async () => {
    const [entry] = await shop.gateway.sql.query(
      `select actor_kind, user_id, details from audit_log where act = 'payments.archived' order by seq desc limit 1`,
    );
    const { head, payments, before: time } = manifestOf(lines);
    expect(entry).toEqual({
      actor_kind: 'operator',
      user_id: null,
      details: { head, payments, before: time },
    });
  });

  it('writes one snapshot, also while rows change', async () => {
    const file = newFile();
    const beside = new pg.Client({ connectionString: shop.gateway.databaseUrl });
    await beside.connect();
    let pages = 0;
    try {
      await shop.gateway.get(PaymentArchive).run(new Date(before), file, async () => {
        pages += 1;
        // The refunded payment is on the second page.
        if (pages === 1)
          await beside.query(`update webhook_deliveries set last_error = 'beside' where payment_id = $1`, [
            finished.refunded.id,
          ]);
      });
      expect(pages).toBe(2);
      expect((await linesOf(file)).slice(0, -1)).toEqual(lines.slice(0, -1));
      expect((await archived()).lines[2]).toContain('"lastError" : "beside"');
    } finally {
      await beside.query(`update webhook_deliveries set last_error = null where payment_id = $1`, [
        finished.refunded.id,
      ]);
      await beside.end();
    }
  });

  it('leaves no file and no entry when it fails on the way', async () => {
    const file = newFile();
    const entries = () =>
      shop.gateway.sql.query(`select seq from audit_log where act = 'payments.archived' order by seq`);
    const known = await entries();
    const failed = shop.gateway.get(PaymentArchive).run(new Date(before), file, () => {
      throw new Error('the disk is full');
    });
    await expect(failed).rejects.toThrow('the disk is full');
    expect([existsSync(file), await entries()]).toEqual([false, known]);
  });

  it('archives late funds once they are confirmed', async () => {
    await shop.mine(CONFIRMATIONS);
    const { file, lines: all } = await archived();
    const line = all.slice(0, -1).find((each) => idOf(each) === late.id);
    expect(read(line).records['payment_transfers']).toMatchObject([{ state: 'confirmed' }]);
    expect((await cli(['verify-archive', '--file', file])).code).toBe(0);
  });

  it.each([
    ['no file', ['--before', '2026-01-15'], 2, '--to is required'],
    [
      'a time without a zone',
      ['--before', '2026-01-15T10:00:00', '--to', '/nowhere/x'],
      2,
      '--before must be a date',
    ],
    [
      'a day that does not exist',
      ['--before', '2026-02-30', '--to', '/nowhere/x'],
      2,
      '--before must be a date',
    ],
    [
      'a date in the future',
      ['--before', '2999-01-01', '--to', '/nowhere/x'],
      2,
      'must not be in the future',
    ],
    ['a folder that does not exist', ['--before', '2026-01-15', '--to', '/nowhere/x'], 1, 'no such file'],
  ])('refuses %s', async (_what, args, expected, words) => {
    const { code, output, errors } = await cli(['archive-payments', ...args]);
    expect([code, output]).toEqual([expected, '']);
    expect(errors).toContain(words);
  });

  it('never writes over a file', async () => {
    const { file } = await archived();
    const text = await readFile(file, 'utf8');
    const { code, errors } = await cli(['archive-payments', '--before', before, '--to', file]);
    expect([code, errors]).toEqual([2, expect.stringContaining('--to must name a file that does not exist')]);
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});

describe('verify-archive', () => {
  /** Without a database, or any other setting. */
  const verify = async (text: string, args = ['--key', key], environment: NodeJS.ProcessEnv = {}) => {
    const file = newFile();
    await writeFile(file, text);
    return cli(['verify-archive', '--file', file, ...args], environment);
  };
  const textOf = (all: string[]) => all.map((line) => `${line}\n`).join('');
  const at = (place: number) => lines[place] ?? '';
  const flaw = (line: number, problem: string) => ({
    code: 1,
    output: '',
    errors: expect.stringMatching(
      new RegExp(`^the archive does not hold: line ${line} ${problem}.*\\n$`),
    ) as unknown,
  });
  const foreign = () => manifestLine(signingKeyOf(Buffer.alloc(32, 7)), manifestOf(lines));
  const more = (text: string) => text.replace('"amount" : "10000"', '"amount" : "10001"');

  /** What somebody without the keys can do: all digests are right again. */
  function rewrite(change: (records: string) => string): string[] {
    let digest = START;
    const payments = lines.slice(0, -1).map((line, index) => {
      const records = change(line.slice(line.indexOf('"records":') + '"records":'.length, -1));
      digest = nextDigest(digest, records);
      return paymentLine(index + 1, digest, records);
    });
    return [...payments, at(3)];
  }

  it('needs the public key alone', async () => {
    const { code, output, errors } = await verify(textOf(lines));
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain(`payments: 3\n`);
    expect(output).toContain(`head:     ${manifestOf(lines).head}\n`);
  });

  it.each([
    ['the one that signed', (own: string) => own, 0],
    ['a newer one before it', (own: string) => `${NEW_KEY},${own}`, 0],
    ['another one', () => NEW_KEY, 1],
  ])('takes APP_KEYS instead, here %s', async (_what, keysOf, expected) => {
    const APP_KEYS = keysOf(shop.gateway.environment['APP_KEYS'] ?? '');
    expect((await verify(textOf(lines), [], { APP_KEYS })).code).toBe(expected);
  });

  it('finds a changed byte, wherever it is', async () => {
    const bytes = Buffer.from(textOf(lines));
    const line = (place: number) => bytes.subarray(0, place).filter((byte) => byte === 0x0a).length + 1;
    for (let place = 7; place < bytes.length; place += 97) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      const file = newFile();
      await writeFile(file, changed);
      const { code, errors } = await cli(['verify-archive', '--file', file, '--key', key], {});
      const [, named] = /line (\d+)/.exec(errors) ?? [];
      expect([place, code, named]).toEqual([place, 1, String(line(place))]);
      await rm(file);
    }
  });

  it.each<[string, () => string[], number, string]>([
    ['a changed amount', () => [more(at(0)), ...lines.slice(1)], 1, 'was changed'],
    ['a changed amount with new digests', () => rewrite(more), 4, 'is the manifest of other payments'],
    ['a removed line', () => [at(0), at(2), at(3)], 2, 'has the number 3'],
    ['a removed last payment', () => [at(0), at(1), at(3)], 3, 'is the manifest of 3 payments'],
    ['swapped lines', () => [at(1), at(0), at(2), at(3)], 1, 'has the number 2'],
    ['a missing manifest', () => lines.slice(0, 3), 4, 'is missing'],
    ['a manifest of another key', () => [...lines.slice(0, 3), foreign()], 4, 'is signed by none'],
  ])('finds %s', async (_what, change, line, problem) => {
    const changed = change();
    expect(changed).not.toEqual(lines);
    expect(await verify(textOf(changed))).toEqual(flaw(line, problem));
  });

  it('finds the manifest of another archive of the same gateway', async () => {
    const { lines: empty, file } = await archived('2020-01-01');
    expect((await cli(['verify-archive', '--file', file])).output).toContain('payments: 0\n');
    expect(await verify(textOf([...lines.slice(0, 3), empty[0] ?? '']))).toEqual(
      flaw(4, 'is the manifest of 0 payments, and 3 precede it'),
    );
  });

  it('finds a file that is cut off, at every line', async () => {
    const text = textOf(lines);
    let end = 0;
    for (const [index, line] of lines.entries()) {
      end += Buffer.byteLength(line) + 1;
      const cut = (bytes: number) => verify(Buffer.from(text).subarray(0, bytes).toString('utf8'));
      expect(await cut(end - 1)).toEqual(flaw(index + 1, 'is cut off'));
      expect(await cut(end - 5)).toEqual(flaw(index + 1, 'is cut off'));
    }
  });

  it.each([
    ['no file', [], 2, '--file is required'],
    ['a file that does not exist', ['--file', '/nowhere/x'], 1, 'no such file'],
    ['a key of another length', ['--file', '/nowhere/x', '--key', 'abc'], 2, '--key must be the public key'],
  ])('refuses %s', async (_what, args, expected, words) => {
    const { code, output, errors } = await cli(['verify-archive', ...args]);
    expect([code, output]).toEqual([expected, '']);
    expect(errors).toContain(words);
  });
});
