import type { OperatorHealth, UnknownReason } from '../api/operations.js';
import type { Message, MessageKey } from '../i18n/message-key.pure.js';
import type { Tone } from '../parts/tone.pure.js';
import { secondsFrom } from './measures.pure.js';

/** Something to be done, and where. */
export interface Problem {
  /** `idle`: it is not known whether something is wrong. */
  tone: Extract<Tone, 'bad' | 'warn' | 'idle'>;
  /** What it is about: a name, or a text of ours. */
  subject: string | Pick<Message, 'key'>;
  message: Message;
  /** Another screen, by its name. */
  screen?: readonly [path: string, name: MessageKey];
  /** A setting or command that mends it. */
  code?: string;
}

/** How the reader's language writes values. */
export interface Formats {
  bytes: (bytes: number) => string;
  ago: (iso: string) => string;
  time: (iso: string) => string;
}

/** Shares of a disk that are free. */
const LITTLE = 0.15;
const VERY_LITTLE = 0.05;
/** Share of the server's connections. */
const MANY = 0.8;
/** Seconds. */
const DAY = 86_400;
const LONG_WAIT = 900;
const OLD_DRILL = 35 * DAY;
const OLD_COMPARISON = 3 * DAY;

/** Of the folders that are looked at. */
export const DISKS = { gateway: 'health.disk-gateway', backups: 'health.disk-backups' } as const;

/** Why a value is not known. */
export const REASONS: Record<UnknownReason, MessageKey> = {
  not_set_up: 'health.not-set-up',
  unreadable: 'health.unreadable',
  none: 'health.none',
  never: 'health.never',
  unreachable: 'health.unreachable',
  outdated: 'health.outdated',
  failing: 'health.failing',
  refused: 'health.refused',
  unusable: 'health.unusable',
};

const CHAINS = ['/operator/chains', 'operator.chains'] as const;
const STATES: Partial<
  Record<OperatorHealth['chains'][number]['state'], readonly ['bad' | 'warn', MessageKey]>
> = {
  halted: ['bad', 'chain.halted'],
  unreachable: ['bad', 'chain.unreachable'],
  unwatched: ['bad', 'chain.unwatched'],
  stalled: ['warn', 'chain.stalled'],
  catching_up: ['warn', 'chain.catching-up'],
};
const NOBODY_TOLD: Problem = {
  tone: 'idle',
  subject: { key: 'notices.title' },
  message: { key: 'health.notices-off' },
  code: 'SMTP_URL=',
};
const ORDER: readonly Problem['tone'][] = ['bad', 'warn', 'idle'];

/** What is wrong and what nobody knows, the worst first. Findings of the checks are shown beside, in their own words. */
export function problemsOf(health: OperatorHealth, formats: Formats): Problem[] {
  return [
    ...ofChains(health),
    ...ofBackups(health, formats),
    ...ofComparison(health, formats),
    ...ofVersion(health, formats),
    ...ofPlaces(health, formats),
    ...ofQueues(health, formats),
  ].toSorted((a, b) => ORDER.indexOf(a.tone) - ORDER.indexOf(b.tone));
}

function ofChains({ chains }: OperatorHealth): Problem[] {
  return chains.flatMap(({ name, state, unknown }): Problem[] => {
    const bad = STATES[state];
    if (bad) return [{ tone: bad[0], subject: name, message: { key: bad[1] }, screen: CHAINS }];
    if (unknown === null) return [];
    return [{ tone: 'idle', subject: name, message: { key: 'health.block-unknown' }, screen: CHAINS }];
  });
}

function ofBackups({ backup, restoreDrill, checkedAt }: OperatorHealth, { ago }: Formats): Problem[] {
  const problems: Problem[] = [];
  const about = (tone: Problem['tone'], message: Message, code?: string) =>
    problems.push({ tone, subject: { key: 'health.backup' }, message, ...(code !== undefined && { code }) });
  if (backup.unknown === 'not_set_up') about('idle', { key: 'health.backup-unknown' }, 'BACKUP_FOLDER=');
  else if (backup.unknown === 'none') about('bad', { key: 'health.backup-none' });
  else if (backup.unknown !== null) about('bad', { key: 'health.backup-unreadable' });
  else if (backup.isOld && backup.finishedAt)
    about('bad', { key: 'health.backup-old', values: { ago: ago(backup.finishedAt) } });
  const { finishedAt, held } = restoreDrill;
  const drill = (tone: Problem['tone'], message: Message) =>
    problems.push({ tone, subject: { key: 'health.drill' }, message, code: 'restore-drill' });
  if (finishedAt === null) drill('idle', { key: 'health.drill-never' });
  else if (held === false) drill('bad', { key: 'health.not-held' });
  else if (secondsFrom(finishedAt, checkedAt) > OLD_DRILL)
    drill('warn', { key: 'health.drill-old', values: { ago: ago(finishedAt) } });
  return problems;
}

function ofComparison({ verification, checkedAt }: OperatorHealth, { ago }: Formats): Problem[] {
  const { finishedAt, differences } = verification;
  const about = (tone: Problem['tone'], message: Message): Problem[] => [
    {
      tone,
      subject: { key: 'health.verification' },
      message,
      screen: ['/operator/reconciliation', 'operator.reconciliation'],
    },
  ];
  if (finishedAt === null) return about('idle', { key: 'health.verify-never' });
  if (differences !== null && differences > 0)
    return about('bad', { key: 'reconciliation.differences', values: { count: differences } });
  return secondsFrom(finishedAt, checkedAt) > OLD_COMPARISON
    ? about('warn', { key: 'health.verify-old', values: { ago: ago(finishedAt) } })
    : [];
}

/** That nobody is asked is the operator's choice. */
function ofVersion({ newestVersion }: OperatorHealth, { time }: Formats): Problem[] {
  const { version, since, isNewer, unknown } = newestVersion;
  const subject = { key: 'health.newest' } as const;
  if (isNewer && version !== null && since !== null)
    return [
      { tone: 'warn', subject, message: { key: 'health.newer', values: { version, time: time(since) } } },
    ];
  if (unknown === null || unknown === 'not_set_up' || unknown === 'never') return [];
  return [{ tone: 'idle', subject, message: { key: REASONS[unknown] }, code: 'UPDATE_CHECK_URL=' }];
}

function ofPlaces({ disks, database }: OperatorHealth, { bytes }: Formats): Problem[] {
  const full = disks.flatMap(({ of, freeBytes, totalBytes }): Problem[] => {
    if (freeBytes === null || totalBytes === null || freeBytes >= totalBytes * LITTLE) return [];
    const values = { free: bytes(freeBytes), total: bytes(totalBytes) };
    const tone = freeBytes < totalBytes * VERY_LITTLE ? 'bad' : 'warn';
    return [{ tone, subject: { key: DISKS[of] }, message: { key: 'health.disk-low', values } }];
  });
  const { connections: count, maxConnections: most } = database;
  if (count < most * MANY) return full;
  const message: Message = { key: 'health.connections', values: { count, most } };
  return [...full, { tone: 'warn', subject: { key: 'health.database' }, message }];
}

function ofQueues({ webhooks, notices, rates, checkedAt }: OperatorHealth, { time }: Formats): Problem[] {
  const waits = (oldestAt: string | null, subject: MessageKey, screen?: Problem['screen']): Problem[] =>
    oldestAt !== null && secondsFrom(oldestAt, checkedAt) > LONG_WAIT
      ? [
          {
            tone: 'warn',
            subject: { key: subject },
            message: { key: 'health.waits', values: { time: time(oldestAt) } },
            ...(screen && { screen }),
          },
        ]
      : [];
  return [
    ...waits(webhooks.oldestAt, 'health.webhooks', ['/webhooks', 'nav.webhooks']),
    ...waits(notices.oldestAt, 'health.notices'),
    ...(notices.unknown === 'not_set_up' ? [NOBODY_TOLD] : []),
    ...rates.flatMap(({ source, failingSince }): Problem[] =>
      failingSince === null
        ? []
        : [
            {
              tone: 'warn',
              subject: source,
              message: { key: 'health.rate-failing', values: { time: time(failingSince) } },
              screen: ['/operator/rates', 'operator.rates'],
            },
          ],
    ),
  ];
}
