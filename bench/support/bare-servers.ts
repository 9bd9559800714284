import { createHash, createHmac, createSecretKey } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import pg from 'pg';
import { newId } from '../../src/platform/kernel/ids.pure.js';
import type { Merchant } from './api-server.js';

/** Concurrent inserts of the server with group commit, and connections of each server. */
const WRITES = 2;
const CONNECTIONS = 8;
const KEY = createSecretKey('checkout signing key of the benchmark', 'utf8');

/** What a payment cannot be created without. */
interface NewPayment {
  id: string;
  reference: string;
  referenceLabel: string;
  currencyCode: string;
  amount: number;
  expires: number;
}

const INSERT = `
  with made as (
    insert into payments (id, user_id, application_id, reference, reference_label, currency_code, settlement_currency_code,
      amount, expires_at, created_at)
    select id, $1, $2, reference, label, currency, currency, amount, to_timestamp(expires), now()
    from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::numeric[], $8::bigint[])
      as p (id, reference, label, currency, amount, expires)
    returning id, user_id, created_at
  )
  insert into payment_status_history (payment_id, user_id, seq, to_status, reason, created_at)
  select id, user_id, 1, 'OPEN', 'created', created_at from made`;
const SELECT = 'select * from payments where id = $1 and application_id = $2';

/** node:http and one prepared insert for each payment. */
export function bareCreate(databaseUrl: string, merchant: Merchant): RequestListener {
  const insert = inserter(databaseUrl, merchant);
  return creator(merchant, (payment) => insert([payment]));
}

/** The same, where payments that come together share an insert. */
export function groupCreate(databaseUrl: string, merchant: Merchant): RequestListener {
  return creator(merchant, groupInserter(databaseUrl, merchant));
}

/** Payments that come together share an insert. */
export function groupInserter(
  databaseUrl: string,
  merchant: Merchant,
): (payment: NewPayment) => Promise<unknown> {
  const insert = inserter(databaseUrl, merchant);
  let waiting: {
    payment: NewPayment;
    resolve: (value?: unknown) => void;
    reject: (error: unknown) => void;
  }[] = [];
  let writes = 0;
  const write = async (): Promise<void> => {
    if (writes >= WRITES || waiting.length === 0) return;
    const group = waiting;
    waiting = [];
    writes++;
    try {
      await insert(group.map(({ payment }) => payment));
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    writes--;
    void write();
  };
  return (payment) =>
    new Promise((resolve, reject) => {
      waiting.push({ payment, resolve, reject });
      setImmediate(() => void write());
    });
}

/** node:http and one prepared select. */
export function bareGet(databaseUrl: string, merchant: Merchant): RequestListener {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const isKnown = tokens(merchant);
  return (request, response) => {
    if (!isKnown(request)) return void response.writeHead(401).end();
    const id = (request.url ?? '').split('/').at(-1);
    pool
      .query<object>({ name: 'get', text: SELECT, values: [id, merchant.applicationId] })
      .then(({ rows: [row] }) => {
        if (!row) return void response.writeHead(404).end();
        const json = Buffer.from(JSON.stringify({ data: row }));
        response
          .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': json.length })
          .end(json);
      })
      .catch((error: Error) => response.writeHead(500).end(error.message));
  };
}

function creator(merchant: Merchant, insert: (payment: NewPayment) => Promise<unknown>): RequestListener {
  const isKnown = tokens(merchant);
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as NewPayment & { clientId: string };
      if (!isKnown(request) || body.clientId !== merchant.clientId) return void response.writeHead(401).end();
      const id = newId(new Date());
      const expires = Math.floor(Date.now() / 1_000) + 3_600;
      insert({ ...body, id, expires })
        .then(() => {
          const json = JSON.stringify({ data: { id, checkoutUrl: checkoutUrl(id, expires) } });
          response
            .writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) })
            .end(json);
        })
        .catch((error: Error) => response.writeHead(500).end(error.message));
    });
  };
}

function inserter(databaseUrl: string, { userId, applicationId }: Merchant) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  return (payments: readonly NewPayment[]) =>
    pool.query({
      name: 'insert',
      text: INSERT,
      values: [
        userId,
        applicationId,
        payments.map(({ id }) => id),
        payments.map(({ reference }) => reference),
        payments.map(({ referenceLabel }) => referenceLabel),
        payments.map(({ currencyCode }) => currencyCode),
        payments.map(({ amount }) => amount),
        payments.map(({ expires }) => expires),
      ],
    });
}

/** @param expires seconds since 1970 */
export function checkoutUrl(id: string, expires: number): string {
  const signature = createHmac('sha256', KEY).update(`${id}|${expires}`).digest('hex');
  return `http://localhost/checkout/${id}?expires=${expires}&signature=${signature}`;
}

/** Known without the database, as a cache knows them. */
export function tokens({ token }: Merchant): (request: IncomingMessage) => boolean {
  const known = new Set([hashOf(token)]);
  return ({ headers }) => known.has(hashOf(headers.authorization?.slice('Bearer '.length) ?? ''));
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
