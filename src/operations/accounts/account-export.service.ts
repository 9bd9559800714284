import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Injectable } from '@nestjs/common';
import { SessionsService } from '../../identity/oauth/sessions.service.js';
import { AuditLog } from '../../platform/integrity/audit-log.service.js';
import { Sql } from '../../platform/database/sql.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { COMMIT, VERSION } from '../../platform/kernel/version.js';
import { AccountExportRepository } from './account-export.repository.js';
import { EXPORTED_TABLES, LEFT_OUT } from './exported-tables.pure.js';

/** Personal data: only for whoever ran the command. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** One file of an export: a line of JSON for each row. */
export interface ExportedFile {
  name: string;
  rows: number;
  /** SHA-256 of the whole file, in hex. */
  sha256: string;
}

/** Everything that the gateway stores of one account, as files (specification/operations.md#exporting-an-account). */
@Injectable()
export class AccountExport {
  constructor(
    private readonly rows: AccountExportRepository,
    private readonly sessions: SessionsService,
    private readonly sql: Sql,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes one consistent snapshot. The manifest comes last: a folder without one is not complete. After an error there
   * is no folder.
   * @param folder which must not exist yet, inside one that does
   * @param onFile is awaited after each file
   */
  async run(
    userId: string,
    folder: string,
    onFile: (file: ExportedFile) => void | Promise<void> = () => {},
  ): Promise<ExportedFile[]> {
    await mkdir(folder, { mode: FOLDER_MODE });
    try {
      const exportedAt = this.clock.now();
      const files = await this.sql.snapshot(async (tx) => {
        const written: ExportedFile[] = [];
        const add = async (name: string, lines: AsyncIterable<string[]>) => {
          const file = await writeLines(path.join(folder, `${name}.jsonl`), lines);
          written.push(file);
          await onFile(file);
        };
        for (const table of Object.keys(EXPORTED_TABLES)) await add(table, this.rows.read(tx, table, userId));
        await add('sessions', this.readSessions(userId));
        return written;
      });
      const manifest = {
        format: 'account-export-1',
        account: userId,
        exportedAt: exportedAt.toISOString(),
        version: VERSION,
        commit: COMMIT,
        files,
        withheld: Object.fromEntries(
          Object.entries(EXPORTED_TABLES).flatMap(([table, { withheld }]) =>
            withheld ? [[table, withheld]] : [],
          ),
        ),
        leftOut: LEFT_OUT,
      };
      await writeLines(path.join(folder, 'manifest.json'), single(JSON.stringify(manifest, null, 2)));
      const target = { kind: 'user', id: userId };
      const rows = files.reduce((sum, file) => sum + file.rows, 0);
      await this.audit.record({ act: 'account.exported', userId, target, details: { rows } });
      return files;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Sign-ins are stored together with their tokens, so that only what the user sees of them is written. */
  private async *readSessions(userId: string): AsyncGenerator<string[]> {
    yield (await this.sessions.list(userId)).map((session) => JSON.stringify(session));
  }
}

async function* single(line: string): AsyncGenerator<string[]> {
  yield [line];
}

async function writeLines(file: string, batches: AsyncIterable<string[]>): Promise<ExportedFile> {
  const handle = await open(file, 'wx', FILE_MODE);
  try {
    return await writeTo(handle, path.basename(file), batches);
  } finally {
    await handle.close();
  }
}

async function writeTo(
  handle: FileHandle,
  name: string,
  batches: AsyncIterable<string[]>,
): Promise<ExportedFile> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const lines of batches) {
    const text = lines.map((line) => `${line}\n`).join('');
    await handle.writeFile(text);
    hash.update(text);
    rows += lines.length;
  }
  await handle.sync();
  return { name, rows, sha256: hash.digest('hex') };
}
