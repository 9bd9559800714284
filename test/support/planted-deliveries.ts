import type { Sql } from '../../src/platform/database/sql.js';
import { asOwner } from './as-owner.js';

/** Copies of every event and its delivery, each of a payment of its own, `copies` times. Nothing signed them. */
export function plantDeliveries(harness: { sql: Sql }, copies: number): Promise<void> {
  return asOwner(harness, async (tx) => {
    await tx.query(
      `insert into payment_events
       select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'payment_id', gen_random_uuid(),
         'position', null))).*
       from payment_events e, generate_series(1, $1)`,
      [copies],
    );
    await tx.query(
      `insert into webhook_deliveries
       select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'event_id', e.id,
         'payment_id', e.payment_id))).*
       from webhook_deliveries d
       join payment_events e on e.application_id = d.application_id and e.seq = d.seq and e.id <> d.event_id`,
    );
  });
}
