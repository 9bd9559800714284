import { Injectable } from '@nestjs/common';
import { Sql } from '../platform/database/sql.js';

// Tests that could not be signed stay as they are: a merchant asks for another one.
const BLOCKED_APPLICATIONS = `
  select d.application_id as id, bool_or(coalesce(p.callback_url, s.callback_url) is not null) as "hasEndpoint"
  from webhook_deliveries d join sites s on s.application_id = d.application_id left join payments p on p.id = d.payment_id
  where d.state = 'blocked' and d.test_payment_id is null group by d.application_id`;

const RELEASE_BLOCKED = `
  update webhook_deliveries set state = 'pending', next_attempt_at = $2, last_error = null
  where application_id = $1 and state = 'blocked' and test_payment_id is null
  returning id`;

/** Deliveries that wait until they can be signed. */
@Injectable()
export class BlockedDeliveryRepository {
  constructor(private readonly sql: Sql) {}

  /** Applications with blocked deliveries, and whether any of these has an endpoint now. */
  listApplications(): Promise<{ id: string; hasEndpoint: boolean }[]> {
    return this.sql.query(BLOCKED_APPLICATIONS);
  }

  /** Makes an application's blocked deliveries due; returns how many. */
  async release(applicationId: string, now: Date): Promise<number> {
    return (await this.sql.query(RELEASE_BLOCKED, [applicationId, now])).length;
  }
}
