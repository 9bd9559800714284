import { toIsoSeconds } from '../../platform/kernel/clock.pure.js';
import { presentAmount } from '../../money/present-amount.js';
import { getCurrency } from '../../money/currencies.js';
import { formatDecimal } from '../../money/money.js';
import type { ReconciliationContract } from './reconciliation.contract.js';
import {
  isConsistent,
  type Report,
  type Scope,
  type UnattributedDeposit,
} from './reconciliation-report.pure.js';

/** The report as programs read it: `GET /api/admin/reconciliation`, and `verify --json`. */
export function presentReport(report: Report): ReconciliationContract {
  return {
    consistent: isConsistent(report),
    complete: report.notChecked.length === 0,
    startedAt: toIsoSeconds(report.startedAt),
    finishedAt: toIsoSeconds(report.finishedAt),
    since: toTime(report.scope.since),
    resumedAt: toTime(report.scope.resumedAt),
    fullAt: toTime(report.scope.fullAt),
    chains: report.chains.map(({ chain, height, hash, isHalted, problem }) => ({
      slug: chain,
      height,
      hash,
      halted: isHalted,
      problem,
    })),
    checked: report.checked,
    differenceCount: report.differenceCount,
    differences: report.differences,
    unattributedCount: report.unattributedCount,
    unattributed: report.unattributed.map(({ amount, decimals, ...deposit }) => ({
      ...deposit,
      amount: presentAmount(amount, { ...getCurrency(deposit.currencyCode), decimals }),
    })),
    notChecked: report.notChecked,
  };
}

/** The report as people read it. */
export function reconciliationText(report: Report): string {
  const { checked, differences, differenceCount, unattributed, unattributedCount, notChecked } = report;
  const lines = [`Compared: ${scopeText(report.scope)}`, 'Chains'];
  for (const { chain, height, isHalted, problem } of report.chains) {
    const where = height === null ? 'not started' : `block ${height}`;
    lines.push(`  ${chain}: ${where}${isHalted ? ', halted' : ''}, ${problem ?? 'compared'}`);
  }
  lines.push(
    'Checked',
    `  ${checked.payments} payments with ${checked.statusEntries} status entries, ${checked.events} events and ${checked.quotes} quotes`,
    `  ${checked.transfers} transfers, ${checked.transfersOnChain} of them found on their chain`,
    `  ${checked.depositAddresses} deposit addresses, ${checked.balances} balances (${checked.balancesSpent} of addresses that have spent)`,
    `Differences: ${differenceCount}`,
  );
  for (const { check, chain, paymentId, subject, expected, found } of differences) {
    const of = [chain, paymentId && `payment ${paymentId}`, subject]
      .filter((part) => part !== null)
      .join(', ');
    lines.push(`  ${check}: ${of}`, `    expected: ${expected}`, `    found:    ${found}`);
  }
  lines.push(...more(differenceCount - differences.length));
  lines.push(`Unattributed deposits: ${unattributedCount}`, ...unattributed.map(depositLine));
  lines.push(...more(unattributedCount - unattributed.length));
  if (notChecked.length > 0) lines.push('Not checked', ...notChecked.map((reason) => `  ${reason}`));
  lines.push(`Result: ${verdict(report)}`);
  return `${lines.join('\n')}\n`;
}

const toTime = (time: Date | null) => time && toIsoSeconds(time);

function scopeText({ since, resumedAt, fullAt }: Scope): string {
  const parts = [
    since ? `payments that are new or may have changed since ${toIsoSeconds(since)}` : 'all payments',
  ];
  if (resumedAt) parts.push(`continuing the run of ${toIsoSeconds(resumedAt)}`);
  if (since && fullAt) parts.push(`all of them last on ${toIsoSeconds(fullAt)}`);
  return parts.join(', ');
}

function depositLine({
  amount,
  decimals,
  currencyCode,
  chain,
  txHash,
  paymentId,
}: UnattributedDeposit): string {
  return `  ${formatDecimal(amount, decimals)} ${currencyCode} on ${chain}, transaction ${txHash}, payment ${paymentId}`;
}

function more(count: number): string[] {
  return count > 0 ? [`  and ${count} more`] : [];
}

function verdict(report: Report): string {
  if (isConsistent(report)) return 'consistent';
  if (report.differenceCount > 0) return 'DIFFERENT';
  return 'INCOMPLETE, no difference in what was compared';
}
