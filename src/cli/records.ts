import { ENCRYPTED_SECRETS } from '../applications/encrypted-columns.js';
import { ApplicationsService } from '../applications/applications.service.js';
import { type Command, UsageError } from './command.js';
import { CURSOR_KEYS } from '../platform/cursor-keys.js';
import { ENCRYPTED_KEYS as ENCRYPTED_OAUTH_KEYS } from '../identity/oauth/encrypted-columns.js';
import { NOTICE_SECRETS } from '../notices/notice-content.js';
import { UsersService } from '../identity/oauth/people/users.service.js';
import { type Position, progressLine } from '../operations/reconciliation/progress-line.pure.js';
import { isConsistent } from '../operations/reconciliation/reconciliation-report.pure.js';
import { Reconciliation } from '../operations/reconciliation/reconciliation.service.js';
import { presentReport, reconciliationText } from '../operations/reconciliation/reconciliation-view.pure.js';
import { formatAuditHead, parseAuditHead } from '../platform/integrity/audit-chain.pure.js';
import { AUDIT_MACS } from '../platform/integrity/keyed-columns.js';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import { AuditVerification } from '../platform/integrity/audit-verification.service.js';
import { Sql } from '../platform/database/sql.js';
import { stringifyExact } from '../platform/kernel/exact-json.pure.js';
import { KeyRotationService, type RotatedColumn } from '../platform/integrity/key-rotation.service.js';
import { RowAuthenticator } from '../platform/integrity/row-authenticator.service.js';
import { DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import { PLACE_MACS } from '../payments/transfers/place-macs.js';
import { ENCRYPTED_KEYS as ENCRYPTED_WALLET_KEYS, WALLET_MACS } from '../wallets/encrypted-columns.js';
import { EventFeedRepository } from '../webhooks/events/event-feed.repository.js';

/** Differences, and unattributed deposits, that `verify` lists one by one. */
const LISTED = 10_000;

/** Milliseconds between two lines of progress. */
const PROGRESS_EVERY = 5_000;

/** Progress goes to standard error, so that standard output has the report alone. */
export const verify: Command = async (app, options, terminal) => {
  let nextAt = PROGRESS_EVERY;
  const onProgress = (position: Position) => {
    if (position.elapsedMs < nextAt) return;
    terminal.writeError(`${progressLine(position)}\n`);
    nextAt = position.elapsedMs + PROGRESS_EVERY;
  };
  const report = await app
    .get(Reconciliation)
    .run({ limit: LISTED, budget: null, continues: { isFull: options.full }, onProgress });
  terminal.write(options.json ? `${stringifyExact(presentReport(report))}\n` : reconciliationText(report));
  return isConsistent(report) ? 0 : 1;
};

export const verifyAudit: Command = async (app, options, terminal) => {
  const kept = options.head === undefined ? null : parseAuditHead(options.head);
  if (options.head !== undefined && !kept)
    throw new UsageError(
      '--head must be a head that the gateway logged, an earlier run printed or GET /api/audit returned',
    );
  const investigated = options.investigated ?? '0';
  if (!/^\d{1,18}$/.test(investigated))
    throw new UsageError('--investigated must be the number of an entry audit_log.resumed');
  const known = { kept, investigated: BigInt(investigated) };
  const { rows, head, problem } = await app.get(AuditVerification).run(known);
  terminal.write(`valid rows: ${rows}\nhead:       ${formatAuditHead(head)}\n`);
  if (problem === null) return 0;
  terminal.writeError(`the audit log is broken: ${problem}\n`);
  return 1;
};

/** Advances all wallets and the event feed, or nothing, with one entry of the audit log. */
export const afterRestore: Command = async (app, { skip }, terminal) => {
  if (!/^[1-9]\d{0,8}$/.test(skip)) throw new UsageError('--skip must be a count from 1 to 999999999');
  const count = Number(skip);
  const wallets = await app.get(Sql).transaction(async () => {
    const skipped = await app.get(DepositAddressesService).skipIndexes(count);
    await app.get(EventFeedRepository).skipLost();
    const details = { by: count, wallets: skipped.length, feed: true };
    await app.get(AuditLog).record({ act: 'wallets.skipped', userId: null, target: null, details });
    return skipped;
  });
  for (const { id, family, nextIndex } of wallets)
    terminal.write(`${family} wallet ${id} continues with address ${nextIndex}\n`);
  terminal.write('the event feed continues after every cursor\n');
};

/** Of users whose password needs an older key, operators first. */
const NAMED_USERS = 20;
const REFUSALS = { encrypted: 'decrypts', authenticated: 'authenticates' };

export const resealSecrets: Command = async (app, _options, terminal) => {
  const forgotten = await app.get(ApplicationsService).forgetExpiredSecrets();
  terminal.write(`expired webhook secrets deleted: ${forgotten}\n`);
  const rotation = app.get(KeyRotationService);
  const reports: RotatedColumn[] = [];
  for (const column of [
    ...ENCRYPTED_SECRETS,
    ...ENCRYPTED_WALLET_KEYS,
    ...ENCRYPTED_OAUTH_KEYS,
    ...CURSOR_KEYS,
    ...NOTICE_SECRETS,
    ...WALLET_MACS,
    ...PLACE_MACS,
  ])
    reports.push(await rotation.run(column));
  reports.push(...(await app.get(RowAuthenticator).rotate()));
  // Last, because everything before appends to the audit log.
  for (const column of AUDIT_MACS) reports.push(await rotation.run(column));
  let lost = 0;
  for (const { name, action, renewed, refused } of reports) {
    terminal.write(`${name}: ${renewed} ${action} again\n`);
    for (const id of refused)
      terminal.writeError(`${name} of ${id}: no key of APP_KEYS ${REFUSALS[action]} it\n`);
    lost += refused.length;
  }
  const passwords = await app.get(UsersService).outdatedPasswords(NAMED_USERS);
  terminal.write(`passwords that still need an older key: ${passwords.count}\n`);
  for (const { email, isOperator } of passwords.users)
    terminal.write(
      `  ${email}${isOperator ? ', an operator' : ''}: to sign in before the older key is removed\n`,
    );
  if (passwords.count > passwords.users.length)
    terminal.write(`  and ${passwords.count - passwords.users.length} more\n`);
  if (passwords.count > 0)
    terminal.write('Whoever did not needs a link of reset-password-link, which takes no rights away.\n');
  terminal.write(
    'Keep the older keys for 24 hours: stored responses of idempotent requests need them until then.\n',
  );
  return lost === 0 ? 0 : 1;
};
