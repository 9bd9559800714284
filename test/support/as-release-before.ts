import { Sql } from '../../src/platform/database/sql.js';
import { RowAuthenticator } from '../../src/platform/security/row-authenticator.service.js';
import type { TestGateway } from './test-gateway.js';

/**
 * Makes the rows of a table what the release before the MACs wrote, as far as that can be done afterwards, and the table
 * one that no process has adopted yet. Needs the owner of the schema.
 */
export async function forgetMacs(gateway: Pick<TestGateway, 'sql'>, table: string): Promise<void> {
  await asOwner(gateway, async (sql) => {
    await sql.query(`update ${table} set mac = null`);
    await sql.query('update authenticated_tables set adopted_at = null where name = $1', [table]);
  });
}

/** What the next process does when it starts. */
export async function adopt(gateway: Pick<TestGateway, 'get'>): Promise<void> {
  await gateway.get(RowAuthenticator).onApplicationBootstrap();
}

/** Runs statements as a writer of the database who owns the schema: no trigger refuses them. */
export async function asOwner(
  { sql }: Pick<TestGateway, 'sql'>,
  work: (sql: Pick<Sql, 'query'>) => Promise<void>,
): Promise<void> {
  await sql.unitOfWork(async (tx) => {
    await tx.query(`set local session_replication_role = 'replica'`);
    await work(tx);
  });
}
