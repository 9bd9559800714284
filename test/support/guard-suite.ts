import pg from 'pg';
import { createTestDatabase } from './test-gateway.js';

/** Statements that a wrong program might send. */
export interface GuardTable {
  /** Rows that they are about. */
  seed: string;
  /** What is refused, the statement that tries it, and the guard that must be the one to speak. */
  refused: readonly [what: string, statement: string, guard: string][];
  /** What stands close to it and must go through. */
  allowed: readonly [what: string, statement: string][];
}

/**
 * A bug in TypeScript must become an error, not lost money: these are the promises that Postgres itself keeps.
 * No gateway runs here, and each test is undone.
 * @param more further tests, on the connection that `client` answers while they run
 */
export function describeGuards(
  { seed, refused, allowed }: GuardTable,
  more: (client: () => pg.Client) => void,
): void {
  describe('Postgres itself', () => {
    let client: pg.Client;

    beforeAll(async () => {
      client = new pg.Client({ connectionString: await createTestDatabase() });
      await client.connect();
      await client.query(`begin; ${seed}; commit`);
    });
    afterAll(() => client.end());
    beforeEach(() => client.query('begin'));
    afterEach(() => client.query('rollback'));

    /** Runs statements to the point of commit: deferred guards speak too. */
    async function attempt(statement: string): Promise<void> {
      await client.query(statement);
      await client.query('set constraints all immediate');
    }

    it.each(refused)('refuses %s', async (_what, statement, guard) => {
      const error: unknown = await attempt(statement).then(
        () => null,
        (refusal: unknown) => refusal,
      );
      if (!(error instanceof pg.DatabaseError)) throw new Error(`not refused: ${String(error)}`);
      expect([error.constraint, error.message].join(' ')).toContain(guard);
    });

    it.each(allowed)('allows %s', async (_what, statement) => {
      await attempt(statement);
    });

    more(() => client);
  });
}
