import { columnsOf } from '../../src/platform/database/entity-sql.js';
import { RowAuthenticator } from '../../src/platform/integrity/row-authenticator.service.js';
import { PAYMENT_EVENTS, PaymentEventEntity } from '../../src/payments/payment-event.entity.js';
import { sealPlanted } from './seal-planted.js';
import type { TestGateway } from './test-gateway.js';

/** Gives events that a test wrote by SQL, and their payments, the MACs without which nothing is sent. */
export async function authenticateEvents(gateway: TestGateway): Promise<void> {
  await sealPlanted(gateway);
  const columns = columnsOf(PaymentEventEntity, 'e', PAYMENT_EVENTS.fields);
  const found = await gateway.sql.query<object>(
    `select ${columns.list} from payment_events e where e.mac is null`,
  );
  const authenticated = gateway.get(RowAuthenticator).of(PAYMENT_EVENTS);
  const events = found.map((row) => columns.toEntity(row));
  await gateway.sql.transaction(async (tx) => {
    await tx.query(`set local gateway.resealing = 'on'`);
    await tx.query(
      `update payment_events e set mac = made.mac from unnest($1::uuid[], $2::text[]) made (id, mac) where e.id = made.id`,
      [events.map(({ id }) => id), events.map((event) => authenticated.mac(event))],
    );
  });
}
