import type { Sql } from '../../src/platform/database/sql.js';
import type { TestGateway } from './test-gateway.js';

/** Runs statements as a writer of the database who owns the schema: no trigger refuses them. */
export async function asOwner(
  { sql }: Pick<TestGateway, 'sql'>,
  work: (sql: Pick<Sql, 'query'>) => Promise<unknown>,
): Promise<void> {
  await sql.unitOfWork(async (tx) => {
    await tx.query(`set local session_replication_role = 'replica'`);
    await work(tx);
  });
}
