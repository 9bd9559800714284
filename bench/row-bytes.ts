import type { Sql } from '../src/platform/database/sql.js';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { addressChainOf, readAccountKey } from '../src/wallets/account-addresses.pure.js';
import { type Hex, startAnvil } from '../test/support/anvil.js';
import { EVM_XPUB } from '../test/support/shop.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { atTheEnd } from './support/cleanup.js';
import { BenchDatabase } from './support/database.js';
import { openGateway } from './support/gateway.js';
import { createMerchant } from './support/merchant.js';
import { fillRecords } from './support/records.js';

/** What a payment costs for ever: without the delivery log, which is deleted after 30 days. */
const TABLES = [
  'payments',
  'quotes',
  'deposit_addresses',
  'payment_transfers',
  'payment_status_history',
  'payment_events',
];
/** 0.05 ether: what fillRecords quotes. */
const DUE = 5n * 10n ** 16n;
const CONFIRMATIONS = 70;
const PAID_TOGETHER = 100;

const SIZES = `
  select c.relname as name, coalesce(of.relname, c.relname) as table, of.relname is not null as "isIndex",
    pg_relation_size(c.oid)::float8 as bytes
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
 * Bytes of every table and index for a payment that was quoted once and paid by one transfer in native coin. The gateway
 * writes all but the quote, from its blocks, with the versions of rows that its updates leave behind.
 */
export const rowBytes: Benchmark = { name: 'row-bytes', run: measure };

async function measure(options: Options): Promise<Record<string, unknown>> {
  const payments = scaled(5_000, options, 300);
  const chain = await startAnvil();
  atTheEnd(() => chain.stop());
  const database = await BenchDatabase.start();
  const url = await database.clone();
  const gateway = await openGateway(url, {
    CHAIN_ETHEREUM_RPC_URL: chain.url,
    CHAIN_ETHEREUM_CHAIN_ID: String(chain.chainId),
    WALLET_EVM_XPUB: EVM_XPUB,
  });
  atTheEnd(() => gateway.close());
  const owner = await createMerchant(gateway);
  const [wallet] = await gateway.sql.query<{ id: string }>('select id from wallets');
  demand(wallet !== undefined, 'there is no wallet');
  const watcher = gateway.get(ChainWatcherService);
  await watcher.runOnce('ethereum');
  const empty = new Map((await sizesOf(gateway.sql)).map(({ name, bytes }) => [name, bytes]));
  const keys = addressChainOf(readAccountKey(EVM_XPUB, 'evm', 'mainnet', null), 'evm', 'mainnet');
  const addresses = keys
    .deriveEach(Array.from({ length: payments }, (_, i) => i))
    .filter((address) => address !== null);
  await database.change(url, (client) =>
    fillRecords(client, { ...owner, walletId: wallet.id, first: 0, addresses, createdAt: new Date() }),
  );
  for (const [i, { address }] of addresses.entries()) {
    await chain.sendEth({ to: address as Hex, value: DUE });
    if (i % PAID_TOGETHER === PAID_TOGETHER - 1) await chain.mine();
  }
  await chain.mine(CONFIRMATIONS);
  await watcher.drain('ethereum');
  const [paid] = await gateway.sql.query<{ count: number }>(
    `select count(*)::int as count from payments where status in ('RECEIVED', 'CONFIRMED')`,
  );
  demand(paid?.count === payments, `${paid?.count} of ${payments} payments were paid`);
  await database.change(url, async () => undefined);
  const rows = (await sizesOf(gateway.sql))
    .map((size) => ({ ...size, bytes: (size.bytes - (empty.get(size.name) ?? 0)) / payments }))
    .toSorted((one, other) => other.bytes - one.bytes);
  for (const table of TABLES) {
    const own = rows.filter((size) => size.table === table);
    console.error(`   ${table}: ${sum(own)} bytes`);
    for (const { name, bytes } of own) console.error(`      ${name.padEnd(44)} ${bytes.toFixed(0)}`);
  }
  const [data, indexes] = [rows.filter(({ isIndex }) => !isIndex), rows.filter(({ isIndex }) => isIndex)];
  console.error(`   a payment: ${sum(rows)} bytes, ${sum(data)} in tables and ${sum(indexes)} in indexes`);
  return { payments, total: sum(rows), tables: sum(data), indexes: sum(indexes) };
}

const sizesOf = (sql: Sql) => sql.query<Size>(SIZES, [TABLES]);

const sum = (sizes: readonly Size[]) => Math.round(sizes.reduce((total, { bytes }) => total + bytes, 0));
