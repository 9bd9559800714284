import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import type { Sql } from '../src/platform/database/sql.js';
import { addressChainOf, readAccountKey } from '../src/wallets/account-addresses.pure.js';
import { WebhookDispatcher } from '../src/webhooks/webhook-dispatcher.service.js';
import { type Hex, startAnvil } from '../test/support/anvil.js';
import { EVM_XPUB } from '../test/support/shop.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { atTheEnd } from './support/cleanup.js';
import { BenchDatabase } from './support/database.js';
import { openGateway } from './support/gateway.js';
import { HookSink } from './support/hook-sink.js';
import { createMerchant } from './support/merchant.js';
import { fillRecords } from './support/records.js';

/** What a payment costs for ever, and what its webhooks cost for 30 days (docs/how-to/growth.md#growth). */
const KEPT = [
  'payments',
  'quotes',
  'deposit_addresses',
  'payment_transfers',
  'payment_status_history',
  'payment_events',
];
const LOG = ['webhook_deliveries', 'webhook_attempts'];
/** 0.05 ether: what fillRecords quotes. */
const DUE = 5n * 10n ** 16n;
/** Blocks until a payment of this size is confirmed, and some more. */
const CONFIRMATIONS = 15;
/** Payments of one block, so of one transaction that moves them. */
const PAID_TOGETHER = 20;
/** After each the tables are vacuumed: at the end of the run, when a sixth of a table's rows are dead. Autovacuum comes at a fifth. */
const ROUNDS = 25;
/** payment.received and payment.completed. */
const DELIVERIES = 2;

const SIZES = `
  select c.relname as name, coalesce(of.relname, c.relname) as table, of.relname is not null as "isIndex",
    (pg_relation_size(c.oid) + coalesce(pg_relation_size(nullif(c.reltoastrelid, 0)), 0))::float8 as bytes
  from pg_class c
  left join pg_index i on i.indexrelid = c.oid
  left join pg_class of on of.oid = i.indrelid
  where coalesce(of.relname, c.relname) = any($1) and c.relnamespace = 'public'::regnamespace
    and c.relkind in ('r', 'i')`;

interface Size {
  name: string;
  table: string;
  isIndex: boolean;
  bytes: number;
}

/**
 * Bytes of every table and index for a payment that was quoted once, paid by one transfer in native coin, announced and
 * acknowledged; the gateway writes all but the quote, from its blocks. Payments come in rounds with a vacuum after each,
 * as over months, so that the versions of rows that updates leave behind are written over. "packed" is the same after
 * VACUUM FULL: what the rows themselves need.
 */
export const rowBytes: Benchmark = { name: 'row-bytes', run: measure };

async function measure(options: Options): Promise<Record<string, unknown>> {
  const payments = scaled(2_000, options, 100);
  const chain = await startAnvil();
  atTheEnd(() => chain.stop());
  const sink = await HookSink.start();
  const database = await BenchDatabase.start();
  const url = await database.clone();
  const gateway = await openGateway(url, {
    CHAIN_ETHEREUM_RPC_URL: chain.url,
    CHAIN_ETHEREUM_CHAIN_ID: String(chain.chainId),
    WALLET_EVM_XPUB: EVM_XPUB,
  });
  atTheEnd(() => gateway.close());
  const owner = await createMerchant(gateway, { callbackUrl: sink.origin + HookSink.path(0) });
  const [wallet] = await gateway.sql.query<{ id: string }>('select id from wallets');
  demand(wallet !== undefined, 'there is no wallet');
  const watcher = gateway.get(ChainWatcherService);
  const dispatcher = gateway.get(WebhookDispatcher);
  await watcher.runOnce('ethereum');
  const keys = addressChainOf(readAccountKey(EVM_XPUB, 'evm', 'mainnet', null), 'evm', 'mainnet');
  const addresses = keys
    .deriveEach(Array.from({ length: payments }, (_, i) => i))
    .filter((address) => address !== null);
  const size = Math.ceil(payments / ROUNDS);
  for (let first = 0; first < payments; first += size) {
    const part = addresses.slice(first, first + size);
    const createdAt = new Date(Date.now() - first);
    await database.change(url, (client) =>
      fillRecords(client, { ...owner, walletId: wallet.id, first, addresses: part, createdAt }),
    );
    for (const block of inParts(part, PAID_TOGETHER)) {
      for (const { address } of block) await chain.sendEth({ to: address as Hex, value: DUE });
      for (const blocks of [1, CONFIRMATIONS]) {
        await chain.mine(blocks);
        await watcher.drain('ethereum');
      }
      while (await dispatcher.runOnce());
    }
  }
  await demandEachDone(gateway.sql, payments);
  await database.change(url, async () => undefined);
  const used = await sizesOf(gateway.sql);
  await database.change(url, (client) => client.query(`vacuum full ${[...KEPT, ...LOG].join(', ')}`));
  const packed = new Map((await sizesOf(gateway.sql)).map(({ name, bytes }) => [name, bytes]));
  const sizes = used
    .map((row) => ({ ...row, packed: packed.get(row.name) ?? 0 }))
    .toSorted((one, other) => other.bytes - one.bytes);
  return {
    payments,
    payment: report('a payment', KEPT, sizes, payments),
    delivery: report('a delivery', LOG, sizes, payments * DELIVERIES),
  };
}

async function demandEachDone(sql: Sql, payments: number): Promise<void> {
  const [row] = await sql.query<{ confirmed: number; succeeded: number; attempts: number }>(
    `select (select count(*)::int from payments where status = 'CONFIRMED') as confirmed,
       (select count(*)::int from webhook_deliveries where state = 'succeeded') as succeeded,
       (select count(*)::int from webhook_attempts) as attempts`,
  );
  const found = [row?.confirmed, row?.succeeded, row?.attempts].join(', ');
  const expected = [payments, payments * DELIVERIES, payments * DELIVERIES].join(', ');
  demand(found === expected, `confirmed payments, deliveries, attempts: ${found} and not ${expected}`);
}

function inParts<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

const sizesOf = (sql: Sql) => sql.query<Size>(SIZES, [[...KEPT, ...LOG]]);

/** Prints every table and index, and returns the sums. */
function report(
  what: string,
  tables: readonly string[],
  sizes: readonly (Size & { packed: number })[],
  count: number,
): Record<string, number> {
  const line = (name: string, part: readonly (Size & { packed: number })[]) => {
    const [bytes, packed] = [part.map((size) => size.bytes), part.map((size) => size.packed)].map((all) =>
      Math.round(all.reduce((total, one) => total + one, 0) / count),
    );
    console.error(`   ${name.padEnd(52)} ${String(bytes).padStart(6)} bytes, packed ${packed}`);
    return { bytes: bytes ?? 0, packed: packed ?? 0 };
  };
  for (const table of tables) {
    const own = sizes.filter((size) => size.table === table);
    line(table, own);
    for (const size of own) line(`   ${size.name}`, [size]);
  }
  const all = sizes.filter(({ table }) => tables.includes(table));
  const inTables = line(
    `${what}, tables`,
    all.filter(({ isIndex }) => !isIndex),
  );
  const inIndexes = line(
    `${what}, indexes`,
    all.filter(({ isIndex }) => isIndex),
  );
  const { bytes, packed } = line(what, all);
  return { bytes, tables: inTables.bytes, indexes: inIndexes.bytes, packed };
}
