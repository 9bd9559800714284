import { createHash } from 'node:crypto';
import type pg from 'pg';
import { Pool } from 'undici';
import { SECRET_PURPOSE } from '../../src/applications/encrypted-columns.js';
import { SITES } from '../../src/applications/site.entity.js';
import { PAYMENT_STATUS_HISTORY } from '../../src/payments/payment-status-history.entity.js';
import { PAYMENTS } from '../../src/payments/payment.entity.js';
import { PAYMENT_EVENTS } from '../../src/payments/payment-event.entity.js';
import { AuthenticatedRows } from '../../src/platform/integrity/authenticated-rows.js';
import { Keyring } from '../../src/platform/kernel/keyring.js';
import { signatureHeaders } from '../../src/webhooks/webhook-signature.pure.js';
import { authenticateRows } from './authenticate-rows.js';
import { atTheEnd } from './cleanup.js';
import type { BenchDatabase } from './database.js';
import { BENCH_KEY } from './gateway.js';
import { HookSink, type Manner } from './hook-sink.js';

/** Every event is of this one. */
export const HOOK_TYPE = 'payment.underpaid' as const;
/** Length of a real body (specification/events.md#body). */
const BODY_BYTES = 1_100;
const SECRET = 'bench signing secret with enough length';

/** In UNIX milliseconds, when the first of everything came into being. */
const FIRST_MS = 1_790_000_000_000;

/** Opens the secrets that {@link fillHooks} sealed. */
export const HOOK_ENV = {
  WEBHOOK_TIMEOUT_MS: '10000',
  DATABASE_POOL_SIZE: '10',
};

/** An event as everybody who is measured gets it. */
export interface Hook {
  id: string;
  endpoint: number;
  body: string;
}

/** Event number `i`, of endpoint `i` modulo their number. */
export function hookOf(i: number, endpoints: number): Hook {
  const id = idOf('event', i);
  const start = `{"id":"${id}","event":"${HOOK_TYPE}","payment":{"id":"${idOf('payment', i)}","note":"`;
  return { id, endpoint: i % endpoints, body: `${start.padEnd(BODY_BYTES - 3, 'x')}"}}` };
}

/** Applications, one a user, each with an endpoint at the sink; and payments that events can be of. */
export async function fillHooks(
  database: BenchDatabase,
  sink: HookSink,
  manners: readonly Manner[],
  payments: number,
): Promise<void> {
  await database.fill((client) => insertRows(client, sink, manners, payments));
}

async function insertRows(
  client: pg.Client,
  { origin }: HookSink,
  manners: readonly Manner[],
  payments: number,
): Promise<void> {
  const keyring = new Keyring([BENCH_KEY]);
  const applications = manners.map((manner, i) => ({
    id: idOf('application', i),
    user: idOf('user', i),
    url: origin + HookSink.path(i, manner),
  }));
  await client.query(
    `insert into payment_applications (id, user_id, name, client_id, sealed_secret, created_at)
     select id, owner, 'Bench', md5(id::text), sealed, now() from unnest($1::uuid[], $2::text[], $3::text[]) as a (id, owner, sealed)`,
    [
      applications.map(({ id }) => id),
      applications.map(({ user }) => user),
      applications.map(({ id }) => keyring.seal(SECRET_PURPOSE, id, SECRET)),
    ],
  );
  await client.query(
    `insert into sites (id, application_id, user_id, title, setting_id, callback_url)
     select id, id, owner, 'Bench', id, url from unnest($1::uuid[], $2::text[], $3::text[]) as a (id, owner, url)`,
    [
      applications.map(({ id }) => id),
      applications.map(({ user }) => user),
      applications.map(({ url }) => url),
    ],
  );
  await client.query(
    `with made as (
       insert into payments (id, user_id, application_id, reference, reference_label, currency_code, settlement_currency_code,
         amount, expires_at, created_at)
       select id, owner, application, 'bench', 'Order', 'USD', 'USD', 1000, now() + interval '30 days', now()
       from unnest($1::uuid[], $2::text[], $3::uuid[]) as p (id, owner, application)
       returning id, user_id, created_at
     )
     insert into payment_status_history (payment_id, user_id, seq, from_status, to_status, reason, created_at)
     select id, user_id, seq, before, after, 'bench', created_at
     from made, (values (1, null, 'OPEN'), (2, 'OPEN', 'FOUND')) as move (seq, before, after)`,
    [
      Array.from({ length: payments }, (_, i) => idOf('payment', i)),
      Array.from({ length: payments }, (_, i) => idOf('user', i % manners.length)),
      Array.from({ length: payments }, (_, i) => idOf('application', i % manners.length)),
    ],
  );
  await authenticateRows(client, SITES);
  await authenticateRows(client, PAYMENTS);
  await authenticateRows(client, PAYMENT_STATUS_HISTORY);
}

const EVENTS = new AuthenticatedRows(PAYMENT_EVENTS, new Keyring([BENCH_KEY]), () => undefined);

/** Writes events number `from` up to `to` as a status move does, but many at once; `payment` has room for one each. */
export const INSERT_EVENTS = `
  insert into payment_events (id, payment_id, user_id, application_id, seq, type, body, created_at, mac)
  select id, payment, owner, application, 2, '${HOOK_TYPE}', body, at, mac
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::timestamptz[], $7::text[])
    as e (id, payment, owner, application, body, at, mac)`;

export function eventColumns(from: number, to: number, endpoints: number): unknown[] {
  const numbers = Array.from({ length: to - from }, (_, k) => from + k);
  const createdAt = new Date();
  const events = numbers.map((i) => {
    const { id, endpoint, body } = hookOf(i, endpoints);
    return {
      id,
      paymentId: idOf('payment', i),
      userId: idOf('user', endpoint),
      applicationId: idOf('application', endpoint),
      seq: 2,
      type: HOOK_TYPE,
      body,
      createdAt,
      testPaymentId: null,
    };
  });
  return [
    events.map(({ id }) => id),
    events.map(({ paymentId }) => paymentId),
    events.map(({ userId }) => userId),
    events.map(({ applicationId }) => applicationId),
    events.map(({ body }) => body),
    events.map(() => createdAt),
    events.map((event) => EVENTS.mac(event)),
  ];
}

/** A minimal client with the gateway's signature: the upper bound, and used by the peers to deliver. */
export class RawClient {
  private readonly pool: Pool;

  constructor(origin: string, connections: number) {
    this.pool = new Pool(origin, { connections });
    atTheEnd(() => this.pool.destroy());
  }

  async post({ id, endpoint, body }: Hook): Promise<void> {
    const bytes = Buffer.from(body, 'utf8');
    const unixSeconds = Math.floor(Date.now() / 1_000);
    const { statusCode, body: answer } = await this.pool.request({
      path: HookSink.path(endpoint),
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...signatureHeaders(
          { id, type: HOOK_TYPE, body: bytes, unixSeconds },
          { current: SECRET, previous: null },
        ),
      },
      body: bytes,
    });
    await answer.dump();
    if (statusCode !== 200) throw new Error(`the sink answered ${statusCode}`);
  }
}

/** Like the gateway's: each after the earlier ones (UUIDv7). */
function idOf(kind: string, i: number): string {
  const time = (FIRST_MS + i).toString(16).padStart(12, '0');
  const hex = createHash('md5').update(`${kind} ${i}`).digest('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(1, 4)}-8${hex.slice(5, 8)}-${hex.slice(8, 20)}`;
}
