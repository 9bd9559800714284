/** The database has tables that this program can neither use nor migrate. */
export class UnknownSchemaError extends Error {
  readonly code = 'unknown_schema';

  constructor(firstMigration: string) {
    super(
      `The database was made by a development version of the gateway or by another program (${firstMigration} is its ` +
        'first migration) and cannot be migrated: export with that version what is worth keeping, and set DATABASE_URL ' +
        'to an empty database, with wallet keys that were never used (docs/how-to/upgrade.md#from-a-development-version); ' +
        'in the development profile, delete the folder DATA_DIR (.data).',
    );
  }
}

/** Another transaction holds a lock that a migration needs, and does not end. */
export class MigrationBlockedError extends Error {
  readonly code = 'migration_blocked';

  constructor(migration: string, blockers: readonly object[], patienceMs: number, options?: ErrorOptions) {
    super(
      `The migration ${migration} did not get its lock within ${patienceMs / 60_000} minutes; those before it are ` +
        'applied. End the transaction that holds it (pg_terminate_backend), or wait for it, and run the migrations ' +
        `again. The oldest ones: ${JSON.stringify(blockers)}`,
      options,
    );
  }
}

/** Migrations are to be applied by a role that does not own the schema, or through a pooler in transaction mode. */
export class MigrationRightsError extends Error {
  readonly code = 'migration_rights';

  constructor(pending: readonly string[], options?: ErrorOptions) {
    super(
      `The database lacks ${pending.length} migration(s), ${pending[0]} first, which cannot be applied with ` +
        'DATABASE_URL. Run the command "migrate" with DATABASE_MIGRATION_URL, the role that owns the schema, before ' +
        'the gateway starts.',
      options,
    );
  }
}

/** The schema is complete, and the gateway's role may not use it. */
export class MissingRightsError extends Error {
  readonly code = 'missing_rights';

  constructor(options?: ErrorOptions) {
    super(
      'The role of DATABASE_URL may not read the tables of the gateway. Run the command "migrate" with ' +
        'DATABASE_MIGRATION_URL, the role that owns the schema: it grants the rights.',
      options,
    );
  }
}
