import type { OperatorHealth } from '../api/operations.js';
import { problemsOf } from './health-problems.pure.js';

const NOW = '2026-01-15T12:00:00Z';
const FORMATS = { bytes: String, ago: (iso: string) => iso, time: (iso: string) => iso };
const CHAIN = {
  slug: 'ethereum',
  name: 'Ethereum',
  state: 'ok' as const,
  height: 100,
  blockTime: '2026-01-15T11:59:50Z',
  unknown: null,
  unknownSince: null,
};
const WELL: OperatorHealth = {
  checkedAt: NOW,
  version: '0.1.0',
  newestVersion: { version: '0.1.0', since: NOW, isNewer: false, askedAt: NOW, unknown: null },
  commit: 'abc',
  startedAt: '2026-01-01T00:00:00Z',
  database: {
    bytes: 1_000,
    connections: 79,
    maxConnections: 100,
    sinceDayBefore: null,
    sinceWeekBefore: null,
  },
  disks: [{ of: 'gateway', freeBytes: 15, totalBytes: 100, unknown: null }],
  backup: { finishedAt: '2026-01-15T03:00:00Z', isOld: false, unknown: null },
  restoreDrill: { finishedAt: '2025-12-11T12:00:00Z', held: true, unknown: null },
  verification: { finishedAt: '2026-01-12T12:00:00Z', differences: 0, leftOut: 0, unknown: null },
  webhooks: { waiting: 3, oldestAt: '2026-01-15T11:45:00Z', failed: 2, unknown: null },
  notices: { waiting: 0, oldestAt: null, failed: 0, unknown: null },
  chains: [CHAIN],
  rates: [{ source: 'kraken', answeredAt: null, failingSince: null, unknown: 'never' }],
  findings: [],
};
const NO_VERSION = { version: null, since: null, isNewer: null, askedAt: null };
/** Tone and text of each. */
const found = (change: Partial<OperatorHealth>) =>
  problemsOf({ ...WELL, ...change }, FORMATS).map(({ tone, message }) => `${tone} ${message.key}`);

it('finds nothing where everything is well, up to the last limit', () => {
  expect(found({})).toEqual([]);
});

it.each<[string, Partial<OperatorHealth>, string[]]>([
  ['a halted chain', { chains: [{ ...CHAIN, state: 'halted' }] }, ['bad chain.halted']],
  [
    'a chain whose node is silent, once',
    { chains: [{ ...CHAIN, state: 'unreachable', unknown: 'unreachable' }] },
    ['bad chain.unreachable'],
  ],
  ['a chain that stands still', { chains: [{ ...CHAIN, state: 'stalled' }] }, ['warn chain.stalled']],
  ['a chain nobody looks at', { chains: [{ ...CHAIN, unknown: 'outdated' }] }, ['idle health.block-unknown']],
  ['an old backup', { backup: { ...WELL.backup, isOld: true } }, ['bad health.backup-old']],
  ['no backup', { backup: { finishedAt: null, isOld: true, unknown: 'none' } }, ['bad health.backup-none']],
  [
    'a folder that cannot be read',
    { backup: { finishedAt: null, isOld: true, unknown: 'unreadable' } },
    ['bad health.backup-unreadable'],
  ],
  [
    'backups of which nobody knows',
    { backup: { finishedAt: null, isOld: false, unknown: 'not_set_up' } },
    ['idle health.backup-unknown'],
  ],
  [
    'a restore that was never tried',
    { restoreDrill: { finishedAt: null, held: null, unknown: 'never' } },
    ['idle health.drill-never'],
  ],
  [
    'a backup that did not hold',
    { restoreDrill: { ...WELL.restoreDrill, held: false } },
    ['bad health.not-held'],
  ],
  [
    'an old drill',
    { restoreDrill: { ...WELL.restoreDrill, finishedAt: '2025-12-11T11:59:59Z' } },
    ['warn health.drill-old'],
  ],
  [
    'differences',
    { verification: { ...WELL.verification, differences: 2 } },
    ['bad reconciliation.differences'],
  ],
  [
    'a comparison that was never made',
    { verification: { finishedAt: null, differences: null, leftOut: null, unknown: 'never' } },
    ['idle health.verify-never'],
  ],
  [
    'an old comparison',
    { verification: { ...WELL.verification, finishedAt: '2026-01-12T11:59:59Z' } },
    ['warn health.verify-old'],
  ],
  [
    'a newer version, although nobody answers any more',
    { newestVersion: { ...WELL.newestVersion, version: '0.2.0', isNewer: true, unknown: 'failing' } },
    ['warn health.newer'],
  ],
  [
    'a source of versions that refuses',
    { newestVersion: { ...NO_VERSION, unknown: 'refused' } },
    ['idle health.refused'],
  ],
  [
    'nobody who is asked for a newer version, which is a choice',
    { newestVersion: { ...NO_VERSION, unknown: 'not_set_up' } },
    [],
  ],
  ['a disk with little', { disks: [{ ...WELL.disks[0]!, freeBytes: 14 }] }, ['warn health.disk-low']],
  ['a disk with nearly nothing', { disks: [{ ...WELL.disks[0]!, freeBytes: 4 }] }, ['bad health.disk-low']],
  [
    'a disk that cannot be asked, which is shown and not judged',
    { disks: [{ of: 'backups', freeBytes: null, totalBytes: null, unknown: 'unreadable' }] },
    [],
  ],
  ['many connections', { database: { ...WELL.database, connections: 80 } }, ['warn health.connections']],
  [
    'a webhook that waits long',
    { webhooks: { ...WELL.webhooks, oldestAt: '2026-01-15T11:44:59Z' } },
    ['warn health.waits'],
  ],
  [
    'nobody who is told',
    { notices: { waiting: null, oldestAt: null, failed: null, unknown: 'not_set_up' } },
    ['idle health.notices-off'],
  ],
  [
    'a source of rates that fails',
    { rates: [{ source: 'kraken', answeredAt: null, failingSince: NOW, unknown: 'failing' }] },
    ['warn health.rate-failing'],
  ],
])('finds %s', (_title, change, problems) => {
  expect(found(change)).toEqual(problems);
});

it('puts the worst first, and what nobody knows last', () => {
  const problems = found({
    chains: [
      { ...CHAIN, unknown: 'outdated' },
      { ...CHAIN, state: 'stalled' },
    ],
    backup: { ...WELL.backup, isOld: true },
  });
  expect(problems).toEqual(['bad health.backup-old', 'warn chain.stalled', 'idle health.block-unknown']);
});
