import { type FileHandle, open, rm } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/integrity/audit-log.service.js';
import { type Queryable, Sql } from '../../platform/database/sql.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { COMMIT, VERSION } from '../../platform/kernel/version.js';
import { Keyring } from '../../platform/kernel/keyring.js';
import type { PublicSigningKey, SigningKey } from '../../platform/kernel/signing-key.pure.js';
import {
  FORMAT,
  type Manifest,
  manifestLine,
  nextDigest,
  paymentLine,
  START,
} from './archive-format.pure.js';
import { archiveKeysOf } from './archive-keys.js';
import { findOpen, type OpenReason, type PaymentRows } from './archived-payment.pure.js';
import { PaymentArchiveRepository, type StoredPayment } from './payment-archive.repository.js';

/** Personal data: only for whoever ran the command. */
const FILE_MODE = 0o600;

/** What a run has done. */
export interface ArchiveReport {
  manifest: Manifest;
  key: PublicSigningKey;
  /** Payments that were left out, by what of them is not over. */
  open: ReadonlyMap<OpenReason, number>;
}

type Written = Pick<Manifest, 'payments' | 'head' | 'first' | 'last'>;

/** Finished payments with all their records, in a file with its proof (specification/operations.md#archive-of-payments). */
@Injectable()
export class PaymentArchive {
  private readonly key: SigningKey;

  constructor(
    private readonly repository: PaymentArchiveRepository,
    private readonly sql: Sql,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    keyring: Keyring,
  ) {
    const [newest] = archiveKeysOf(keyring);
    if (!newest) throw new Error('the keyring is empty');
    this.key = newest;
  }

  /**
   * Writes one consistent snapshot. The manifest comes last: a file without it is not complete. After an error there is
   * no file.
   * @param before only payments that were created earlier
   * @param file which must not exist yet
   * @param onPage is awaited with the number of payments so far
   */
  async run(
    before: Date,
    file: string,
    onPage: (payments: number) => void | Promise<void> = () => {},
  ): Promise<ArchiveReport> {
    const handle = await open(file, 'wx', FILE_MODE);
    try {
      const report = await this.sql.snapshot((tx) => this.write(tx, handle, before, onPage));
      await handle.sync();
      const { payments, head } = report.manifest;
      const details = { payments, head, before: before.toISOString() };
      await this.audit.record({ act: 'payments.archived', userId: null, target: null, details });
      return report;
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
  }

  private async write(
    tx: Queryable,
    handle: FileHandle,
    before: Date,
    onPage: (payments: number) => void | Promise<void>,
  ): Promise<ArchiveReport> {
    const archivedAt = this.clock.now().toISOString();
    const lineage = await this.repository.lineage(tx);
    const open = new Map<OpenReason, number>();
    const written: Written = { payments: 0, head: START.toString('hex'), first: null, last: null };
    for await (const page of this.repository.read(tx, before)) {
      const lines = page.flatMap((payment) => addPayment(written, open, payment));
      await handle.writeFile(lines.map((line) => `${line}\n`).join(''));
      await onPage(written.payments);
    }
    const manifest: Manifest = {
      format: FORMAT,
      ...written,
      open: [...open.values()].reduce((sum, count) => sum + count, 0),
      before: before.toISOString(),
      archivedAt,
      version: VERSION,
      commit: COMMIT,
      lineage,
    };
    await handle.writeFile(`${manifestLine(this.key, manifest)}\n`);
    return { manifest, key: this.key.public, open };
  }
}

/** The line of a payment, which is added to what was written; none if it is open, which is counted. */
function addPayment(written: Written, open: Map<OpenReason, number>, { id, rows }: StoredPayment): string[] {
  const records = `{${[...rows].map(([table, lines]) => `"${table}":[${lines.join(',')}]`).join(',')}}`;
  const reason = findOpen(JSON.parse(records) as PaymentRows);
  if (reason !== null) {
    open.set(reason, (open.get(reason) ?? 0) + 1);
    return [];
  }
  const digest = nextDigest(Buffer.from(written.head, 'hex'), records);
  written.payments += 1;
  written.head = digest.toString('hex');
  written.first ??= id;
  written.last = id;
  return [paymentLine(written.payments, digest, records)];
}
