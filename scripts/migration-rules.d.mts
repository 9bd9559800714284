import type { RecordedMigration } from '../test/support/recorded-migrations.js';

export function migrationProblems(
  migrations: readonly RecordedMigration[],
  declared?: { drops?: Readonly<Record<string, string>>; releases?: readonly string[] },
): Promise<string[]>;

export function numberProblems(names: readonly string[], index: string): string[];
