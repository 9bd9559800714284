import { newId } from '../../src/platform/kernel/ids.pure.js';
import { sealPlanted } from './seal-planted.js';
import type { TestGateway } from './test-gateway.js';

/** A bare OPEN payment straight into the tables, for tests of what hangs on one. */
export async function insertPayment(
  gateway: TestGateway,
  { userId, applicationId }: { userId: string; applicationId: string },
): Promise<string> {
  const { sql, clock } = gateway;
  const now = clock.now();
  const id = newId(now);
  await sql.transaction(async (tx) => {
    await tx.query(
      `insert into payments (id, user_id, application_id, reference, reference_label, currency_code,
         settlement_currency_code, amount, expires_at, created_at)
       values ($1, $2, $3, 'ORDER-1', 'Order #1', 'USD', 'USD', 100, $4, $4)`,
      [id, userId, applicationId, now],
    );
    await tx.query(
      `insert into payment_status_history (payment_id, user_id, seq, to_status, reason, created_at)
       values ($1, $2, 1, 'OPEN', 'created', $3)`,
      [id, userId, now],
    );
  });
  await sealPlanted(gateway);
  return id;
}
