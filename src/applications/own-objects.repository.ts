import { Injectable } from '@nestjs/common';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { UUID } from '../platform/kernel/ids.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { IdKind } from '../platform/kernel/path-id.pure.js';

// Filtered by owner, and for a client token ($3) by its application too, so that ids of other users are not revealed.
const FIND_KIND = `
  select 'payment application' as kind from payment_applications
   where id = $1 and user_id = $2 and ($3::uuid is null or id = $3)
  union all
  select 'site' from sites
   where id = $1 and user_id = $2 and ($3::uuid is null or application_id = $3)
  union all
  select 'payment' from payments
   where id = $1 and user_id = $2 and ($3::uuid is null or application_id = $3)
  union all
  select 'refund' from refunds r
   where r.id = $1 and r.user_id = $2
     and ($3::uuid is null or exists (select from payments p where p.id = r.payment_id and p.application_id = $3))
  union all
  select 'client token' from client_tokens
   where id = $1 and user_id = $2 and ($3::uuid is null or application_id = $3)
  union all
  select 'webhook delivery' from webhook_deliveries
   where (payment_id is not null or test_payment_id is not null) and id = $1 and user_id = $2 and ($3::uuid is null or application_id = $3)`;

/** Identifies the caller's own objects by their ids, across all tables, for the hint of a 404. */
@Injectable()
export class OwnObjectsRepository {
  constructor(private readonly sql: Sql) {}

  /** The kind of the object with this id, if the caller may see it; else null. */
  async findKind(principal: Principal, id: string): Promise<IdKind | null> {
    if (!UUID.test(id)) return null;
    const applicationId = principal.kind === 'client' ? principal.applicationId : null;
    const [found] = await this.sql.query<{ kind: IdKind }>(FIND_KIND, [id, principal.userId, applicationId]);
    return found?.kind ?? null;
  }
}
