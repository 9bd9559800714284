import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { AddressFamily } from '../../src/chains/chain.pure.js';
import { SITES } from '../../src/applications/site.entity.js';
import { PAYMENT_STATUS_HISTORY } from '../../src/payments/payment-status-history.entity.js';
import { PAYMENTS } from '../../src/payments/payment.entity.js';
import { QUOTES } from '../../src/payments/quotes/quote.entity.js';
import type { Sql } from '../../src/platform/database/sql.js';
import { Keyring } from '../../src/platform/kernel/keyring.js';
import { DEPOSIT_ADDRESS } from '../../src/wallets/wallet-authentication.pure.js';
import { authenticateRows } from './authenticate-rows.js';
import { demand } from './benchmark.js';
import { BENCH_KEY } from './gateway.js';

/** What a payment is to be paid with. */
export interface Due {
  chain: string;
  asset: string;
  currencyCode: string;
  decimals: number;
  /** Smallest units that pay it in full. */
  amount: bigint;
}

const USER = "'00000000-0000-4000-8000-000000000001'";
const APPLICATION = "'00000000-0000-4000-8000-000000000002'";
const WALLET = "'00000000-0000-4000-8000-000000000003'";
const OTHER = "'00000000-0000-4000-8000-000000000004'";
const KEYRING = new Keyring([BENCH_KEY]);
const ADDRESSES_PER_STATEMENT = 50_000;
/** As long as a valid one. */
const UNMATCHED_MAC = `m1.${BENCH_KEY.id}.${'A'.repeat(43)}`;
/** Hex digits that stand before the 20 bytes: none on EVM, a witness key hash elsewhere (BIP141). */
const PREFIX: Record<string, string> = { evm: '' };
const WITNESS_KEY_HASH = '0014';

/** Bytes that payment number `i` is watched by, as {@link fillPayments} writes them. */
export function keyOf(family: AddressFamily, i: number): Buffer {
  const digits = md5(`${i}`) + md5(`x${i}`).slice(0, 8);
  return Buffer.from((PREFIX[family] ?? WITNESS_KEY_HASH) + digits, 'hex');
}

/** The MAC of address number `i`, of which the first `dues` belong to payments. */
function macOf(family: AddressFamily, i: number, dues: number): string {
  const uuid = (digits: string) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const id = uuid(i.toString(16).padStart(32, '0'));
  const address = {
    id,
    paymentId: i < dues ? uuid(md5(`p${i}`)) : id,
    userId: USER.slice(1, -1),
    walletId: WALLET.slice(1, -1),
    family,
    derivationIndex: i,
    key: keyOf(family, i),
    address: `bench${i}`,
  };
  return KEYRING.mac(DEPOSIT_ADDRESS.purpose, DEPOSIT_ADDRESS.fieldsOf(address));
}

/**
 * So many deposit addresses. The first of them belong to open payments, each with a quote to be paid by: number `i`
 * the one of `dues[i]`.
 * @param matched how many addresses the benchmark will match, and so need a valid MAC. A million HMACs in the measured
 *   process would make it 10 % slower afterwards.
 */
export async function fillPayments(
  client: pg.Client,
  family: AddressFamily,
  count: number,
  dues: readonly Due[],
  matched = dues.length,
): Promise<void> {
  const prefix = PREFIX[family] ?? WITNESS_KEY_HASH;
  await client.query(`
    insert into payment_applications (id, user_id, name, client_id, sealed_secret, created_at)
      values (${APPLICATION}, ${USER}, 'Bench', repeat('b', 32), 'none', now());
    insert into sites (id, application_id, user_id, title, setting_id)
      values (${OTHER}, ${APPLICATION}, ${USER}, 'Bench', ${OTHER});
    insert into wallets (id, family, sealed_extended_public_key, masked_key, fingerprint, key_hash, next_index, created_at, mac)
      values (${WALLET}, '${family}', 'none', 'none', '00000000', decode(repeat('00', 32), 'hex'), ${count}, now(),
        'm1.${BENCH_KEY.id}.none')`);
  // Only what is paid needs a payment: who looks an address up looks no further.
  await client.query(
    `with made as (
       insert into payments (id, user_id, application_id, reference, reference_label, currency_code, settlement_currency_code,
         amount, expires_at, created_at)
       select md5('p' || i)::uuid, ${USER}, ${APPLICATION}, 'bench ' || i, 'Order', 'USD', 'USD', 1000,
         now() + interval '30 days', now() - interval '30 days'
       from generate_series(0, $1::int - 1) i
       returning id, user_id, created_at
     )
     insert into payment_status_history (payment_id, user_id, seq, to_status, reason, created_at)
     select id, user_id, 1, 'OPEN', 'bench', created_at from made`,
    [dues.length],
  );
  for (let first = 0; first < count; first += ADDRESSES_PER_STATEMENT) {
    const past = Math.min(count, first + ADDRESSES_PER_STATEMENT);
    const macs = Array.from({ length: past - first }, (_, i) =>
      first + i < matched ? macOf(family, first + i, dues.length) : UNMATCHED_MAC,
    );
    await client.query(
      `insert into deposit_addresses (id, payment_id, user_id, family, key, address, wallet_id, derivation_index, created_at, mac)
       select lpad(to_hex(i), 32, '0')::uuid, case when i < $4 then md5('p' || i) else lpad(to_hex(i), 32, '0') end::uuid,
         ${USER}, $2, decode($3 || md5(i::text) || substr(md5('x' || i), 1, 8), 'hex'), 'bench' || i, ${WALLET}, i,
         now() - interval '30 days', mac
       from unnest($5::text[]) with ordinality as made (mac, nth), lateral (select $1::int + nth::int - 1 as i) number`,
      [first, family, prefix, dues.length, macs],
    );
  }
  await client.query(
    `insert into quotes (id, payment_id, user_id, chain, asset, currency_code, asset_decimals, priced_amount, asset_amount,
       rate, rate_source, rate_inputs, locked_at, expires_at)
     select md5('q' || i)::uuid, md5('p' || i)::uuid, ${USER}, chain, asset, code, decimals, 1000, amount, '1', 'bench', '[]',
       now() - interval '30 days', now() + interval '30 days'
     from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::numeric[])
       with ordinality as due (chain, asset, code, decimals, amount, nth), lateral (select nth - 1 as i) number`,
    [
      dues.map(({ chain }) => chain),
      dues.map(({ asset }) => asset),
      dues.map(({ currencyCode }) => currencyCode),
      dues.map(({ decimals }) => decimals),
      dues.map(({ amount }) => String(amount)),
    ],
  );
  await authenticateRows(client, SITES);
  await authenticateRows(client, PAYMENTS);
  await authenticateRows(client, PAYMENT_STATUS_HISTORY);
  await authenticateRows(client, QUOTES);
}

/** Each payment that was paid was found, by exactly one transfer, and was moved to the end; no other has any. */
export async function demandAllPaid(sql: Sql, dues: readonly Due[]): Promise<void> {
  const [row] = await sql.query<Record<'transfers' | 'payments' | 'done' | 'amount', string>>(
    `select (select count(*) from payment_transfers) as transfers,
       (select count(distinct payment_id) from payment_transfers where state = 'confirmed') as payments,
       (select count(*) from payments where status = 'CONFIRMED' and received_amount = 1000) as done,
       (select coalesce(sum(amount), 0) from payment_transfers) as amount`,
  );
  const expected = {
    transfers: String(dues.length),
    payments: String(dues.length),
    done: String(dues.length),
    amount: String(dues.reduce((sum, { amount }) => sum + amount, 0n)),
  };
  demand(
    JSON.stringify(row) === JSON.stringify(expected),
    `found ${JSON.stringify(row)} and not ${JSON.stringify(expected)}`,
  );
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
