import { columnsOf } from '../../src/platform/database/entity-sql.js';
import { RowAuthenticator } from '../../src/platform/integrity/row-authenticator.service.js';
import { SiteEntity, SITES } from '../../src/applications/site.entity.js';
import type { TestGateway } from './test-gateway.js';

const SITE = columnsOf(SiteEntity, 's', [...SITES.fields, 'mac']);

/**
 * Gives the site of an application settings that the API does not accept (any more), with the MAC that the gateway gave
 * them when it did.
 * @param assignment e.g. `url = $2`
 */
export async function changeSite(
  gateway: Pick<TestGateway, 'sql' | 'get'>,
  applicationId: string,
  assignment: string,
  ...values: unknown[]
): Promise<void> {
  const { sql } = gateway;
  await sql.query(`update sites set ${assignment} where application_id = $1`, [applicationId, ...values]);
  const [row] = await sql.query<object>(`select ${SITE.list} from sites s where application_id = $1`, [
    applicationId,
  ]);
  if (!row) throw new Error(`application ${applicationId} has no site`);
  const mac = gateway.get(RowAuthenticator).of(SITES).macOf(SITE.toEntity(row));
  await sql.query('update sites set mac = $2 where application_id = $1', [applicationId, mac]);
}
