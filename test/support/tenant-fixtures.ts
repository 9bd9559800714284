import { randomBytes, randomUUID } from 'node:crypto';
import { APPLICATIONS, ApplicationsApi } from './applications-api.js';
import { createClientToken } from './client-tokens.js';
import { insertPayment } from './payment-rows.js';
import type { Owner } from './principals.js';
import type { TestGateway } from './test-gateway.js';
import { newAccount } from './wallets-api.js';

/**
 * What a request can name, one object of each kind, all of one application.
 * A new kind of object needs a field here, a way to make it in {@link createTenantFixtures}, and one to miss it.
 */
export interface TenantFixtures {
  applicationId: string;
  /** A client id (specification/applications.md#settings). */
  clientId: string;
  siteId: string;
  paymentId: string;
  deliveryId: string;
  tokenId: string;
  /** Only a payment that received funds has one; see the victim of two-tenants.ts. */
  refundId: string;
}

/** An application with a client token, a wallet, a payment and a delivered webhook. */
export async function createTenantFixtures(gateway: TestGateway, owner: Owner): Promise<TenantFixtures> {
  const api = new ApplicationsApi(gateway, owner);
  const { id: applicationId, clientId, site } = await api.create();
  const { id: tokenId } = await createClientToken(gateway, owner, applicationId);
  const wallet = { extendedPublicKey: newAccount().publicExtendedKey };
  const { status, text } = await api.call('PUT', `${APPLICATIONS}/${applicationId}/wallets/evm`, wallet);
  if (status !== 200) throw new Error(`no wallet: ${status} ${text}`);
  await shareKey(gateway, applicationId);
  await gateway.sql.query(
    `insert into notices (id, user_id, name, dedupe_key, created_at, sent_at) values ($1, $2, 'test', $3, now(), now())`,
    [randomUUID(), owner.userId, randomUUID()],
  );
  await gateway.sql.query(
    `insert into request_log (user_id, at, request_id, token_id, method, route, path, status, duration_ms, address)
     values ($1, now(), $2, $3, 'GET', '/api/payment', '/api/payment', 200, 1, '127.0.0.0/24')`,
    [owner.userId, randomUUID(), tokenId],
  );
  const saved = await api.call('PUT', '/api/account/saved-views', {
    views: { Open: '/payments?status=OPEN' },
  });
  if (saved.status !== 200) throw new Error(`no views: ${saved.status} ${saved.text}`);
  const chosen = await api.call('PUT', '/api/account/notices', { kinds: ['refund'], language: 'en' });
  if (chosen.status !== 200) throw new Error(`no notices: ${chosen.status} ${chosen.text}`);
  const ids = { userId: owner.userId, applicationId };
  const paymentId = await insertPayment(gateway, ids);
  const deliveryId = await insertDelivery(gateway, ids);
  return { applicationId, clientId, siteId: site.id, paymentId, deliveryId, tokenId, refundId: randomUUID() };
}

/** What is known of the application's key, and what came to an address that another program handed out. */
async function shareKey({ sql }: TestGateway, applicationId: string): Promise<void> {
  const ofKey = `from wallets w where w.application_id = $1 and w.retired_at is null`;
  const statements = [
    `insert into wallet_searches select w.id, 'ethereum', 0, 0, true, now() ${ofKey} on conflict do nothing`,
    `insert into wallet_gaps select w.id, 21, 30, now(), 20, now() ${ofKey} on conflict do nothing`,
    `insert into spare_addresses select w.id, 7, 'evm', $2::bytea, $2::text ${ofKey}`,
    `insert into stray_receipts
     select w.id, 6, 'ethereum', $2::text, '0', $2::text, 'ETH', 18, 1, now() ${ofKey}`,
  ];
  for (const [i, statement] of statements.entries())
    await sql.query(statement, i < 2 ? [applicationId] : [applicationId, randomBytes(20).toString('hex')]);
}

/** Well-formed, and not in use. */
export function createMissing(): TenantFixtures {
  return {
    applicationId: randomUUID(),
    clientId: randomBytes(16).toString('hex'),
    siteId: randomUUID(),
    paymentId: randomUUID(),
    deliveryId: randomUUID(),
    tokenId: randomUUID(),
    refundId: randomUUID(),
  };
}

/** The delivered webhook of a payment of its own; straight into the tables. */
async function insertDelivery(
  gateway: TestGateway,
  ids: { userId: string; applicationId: string },
): Promise<string> {
  const { sql, clock } = gateway;
  const { userId, applicationId } = ids;
  const paymentId = await insertPayment(gateway, ids);
  const now = clock.now();
  const [event, delivery] = [randomUUID(), randomUUID()];
  await sql.transaction(async (tx) => {
    await tx.query(
      `insert into payment_status_history (payment_id, user_id, seq, from_status, to_status, reason, created_at)
       values ($1, $2, 2, 'OPEN', 'FOUND', 'test', $3)`,
      [paymentId, userId, now],
    );
    await tx.query(
      `insert into payment_events (id, payment_id, user_id, application_id, seq, type, body, created_at, dispatched_at)
       values ($1, $2, $3, $4, 2, 'payment.underpaid', '{}', $5, $5)`,
      [event, paymentId, userId, applicationId, now],
    );
    await tx.query(
      `insert into webhook_deliveries
         (id, event_id, payment_id, application_id, user_id, seq, type, state, attempts, created_at, succeeded_at)
       values ($1, $2, $3, $4, $5, 2, 'payment.underpaid', 'succeeded', 1, $6, $6)`,
      [delivery, event, paymentId, applicationId, userId, now],
    );
  });
  return delivery;
}
