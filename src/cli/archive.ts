import { type Command, readTime, required, UsageError } from './command.js';
import { PaymentArchive } from '../operations/archive/payment-archive.service.js';
import type { OpenReason } from '../operations/archive/archived-payment.pure.js';
import { presentManifest } from '../operations/archive/manifest-view.pure.js';
import { sqlState } from '../platform/database/database-errors.pure.js';
import { Clock } from '../platform/kernel/clock.pure.js';

const OPEN: Record<OpenReason, string> = {
  status: 'not finished',
  transfer: 'with a transfer that is not confirmed',
  search: 'with a reported transaction that is searched for',
  refund: 'with a refund that is not over',
  event: 'with an event that is not dispatched',
  delivery: 'with a webhook that was not delivered',
};
/** Payments between two lines of progress. */
const PROGRESS_EVERY = 10_000;

export const archivePayments: Command = async (app, options, terminal) => {
  const text = required(options.before, 'before');
  const before = readTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  const file = required(options.to, 'to');
  if (before === null)
    throw new UsageError(
      '--before must be a date (UTC) such as 2026-01-15, or a time with a time zone such as 2026-01-15T10:00:00Z',
    );
  if (before > app.get(Clock).now()) throw new UsageError('--before must not be in the future');
  let nextAt = PROGRESS_EVERY;
  const onPage = (payments: number) => {
    if (payments < nextAt) return;
    terminal.writeError(`${payments} payments\n`);
    nextAt = payments + PROGRESS_EVERY;
  };
  const { open, ...archive } = await app
    .get(PaymentArchive)
    .run(before, file, onPage)
    .catch((error: unknown) => {
      if (sqlState(error) === 'EEXIST') throw new UsageError('--to must name a file that does not exist yet');
      throw error;
    });
  terminal.write(presentManifest(archive));
  for (const [reason, count] of open) terminal.write(`left out: ${count} ${OPEN[reason]}\n`);
};
