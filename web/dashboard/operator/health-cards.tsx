import type { ReactNode } from 'react';
import type { OperatorHealth } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import styles from './health.module.css';
import { DISKS } from './health-problems.pure.js';
import { formatPast } from '../i18n/ago.pure.js';
import { formatBytes } from './measures.pure.js';
import { Unknown } from './unknown.js';

interface Card {
  title: MessageKey;
  value: ReactNode;
  lines: ReactNode[];
}

/** One figure a card, with its age below. */
export function HealthCards({ health }: { health: OperatorHealth }): ReactNode {
  const { locale, time } = useTexts();
  const { checkedAt, version, commit, startedAt, database, disks } = health;
  const ago = (iso: string) => formatPast(iso, checkedAt, locale);
  const agoOf = (iso: string | null, reason: OperatorHealth['backup']['unknown']) =>
    iso === null ? <Unknown reason={reason} /> : ago(iso);
  const timeOf = (iso: string | null) => iso !== null && time(iso);
  const { backup, restoreDrill, verification, newestVersion } = health;
  const cards: Card[] = [
    {
      title: 'health.version',
      value: <bdi>{version}</bdi>,
      lines: [
        <Newest newest={newestVersion} ago={ago} />,
        <code dir="ltr">{commit}</code>,
        <T k="health.started" values={{ ago: ago(startedAt) }} />,
      ],
    },
    {
      title: 'health.backup',
      value: agoOf(backup.finishedAt, backup.unknown),
      lines: [timeOf(backup.finishedAt)],
    },
    {
      title: 'health.drill',
      value: agoOf(restoreDrill.finishedAt, restoreDrill.unknown),
      lines: [
        restoreDrill.held !== null && <T k={restoreDrill.held ? 'health.held' : 'health.not-held'} />,
        timeOf(restoreDrill.finishedAt),
      ],
    },
    {
      title: 'health.verification',
      value: agoOf(verification.finishedAt, verification.unknown),
      lines: [
        verification.differences !== null &&
          (verification.differences > 0 ? (
            <T k="reconciliation.differences" values={{ count: verification.differences }} />
          ) : (
            <T k={verification.leftOut ? 'reconciliation.incomplete' : 'reconciliation.consistent'} />
          )),
        timeOf(verification.finishedAt),
      ],
    },
    ...disks.map(({ of, freeBytes, totalBytes, unknown }): Card => ({
      title: DISKS[of],
      value:
        freeBytes === null ? (
          <Unknown reason={unknown} />
        ) : (
          <T k="health.free" values={{ free: formatBytes(freeBytes, locale) }} />
        ),
      lines: [totalBytes !== null && <T k="health.of" values={{ total: formatBytes(totalBytes, locale) }} />],
    })),
    {
      title: 'health.database',
      value: formatBytes(database.bytes, locale),
      lines: [
        ...[database.sinceDayBefore, database.sinceWeekBefore].map(
          (growth) =>
            growth && (
              <T
                k="health.growth"
                values={{ size: formatBytes(growth.bytes, locale, true), time: time(growth.since) }}
              />
            ),
        ),
        !database.sinceDayBefore && !database.sinceWeekBefore && (
          <>
            <T k="health.grows" />: <Unknown />
          </>
        ),
        <T k="health.connections" values={{ count: database.connections, most: database.maxConnections }} />,
      ],
    },
    ...(['webhooks', 'notices'] as const).map((name) => queueCard(`health.${name}`, health[name], ago)),
  ];
  return (
    <div className={styles['cards']}>
      {cards.map(({ title, value, lines }) => (
        <section key={title} className={parts['card']}>
          <h2>
            <T k={title} />
          </h2>
          <p className={styles['value']}>{value}</p>
          {lines.map(
            (line, index) =>
              line && (
                <p key={index} className={parts['hint']}>
                  {line}
                </p>
              ),
          )}
        </section>
      ))}
    </div>
  );
}

interface NewestProps {
  newest: OperatorHealth['newestVersion'];
  ago: (iso: string) => string;
}

function Newest({ newest: { version, since, isNewer, askedAt, unknown }, ago }: NewestProps): ReactNode {
  const { time } = useTexts();
  if (isNewer && version !== null && since !== null)
    return <T k="health.newer" values={{ version, time: time(since) }} />;
  if (unknown === null && askedAt !== null) return <T k="health.up-to-date" values={{ ago: ago(askedAt) }} />;
  return (
    <>
      <T k="health.newest" />: <Unknown reason={unknown} />
    </>
  );
}

function queueCard(title: MessageKey, queue: OperatorHealth['webhooks'], ago: (iso: string) => string): Card {
  const { waiting, oldestAt, failed, unknown } = queue;
  return {
    title,
    value: waiting === null ? <Unknown reason={unknown} /> : <Waiting count={waiting} />,
    lines: [
      oldestAt !== null && <T k="health.oldest" values={{ ago: ago(oldestAt) }} />,
      failed !== null && failed > 0 && <T k="health.given-up" values={{ count: failed }} />,
    ],
  };
}

function Waiting({ count }: { count: number }): ReactNode {
  return useTexts().count(count);
}
