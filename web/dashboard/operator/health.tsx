import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { OperatorHealth } from '../api/operations.js';
import { useRead, useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Figures } from '../parts/figures.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Failure, Loaded } from '../parts/states.js';
import { Findings } from './findings.js';
import { HealthCards } from './health-cards.js';
import styles from './health.module.css';
import { HealthNetworks } from './health-networks.js';
import { type Problem, problemsOf } from './health-problems.pure.js';
import { formatPast } from '../i18n/ago.pure.js';
import { formatBytes } from './measures.pure.js';
import { TryNode } from './node-trial.js';

/** Milliseconds. */
const REFRESH_MS = 15_000;

/** All that an operator looks after, what is wrong first. What is not known is not shown as a value. */
export function Health(): ReactNode {
  const health = useRead('getOperatorHealth', {}, { everyMs: REFRESH_MS });
  return (
    <Loaded query={health}>
      {({ data }) => (
        <>
          <First health={data} />
          <HealthCards health={data} />
          <HealthNetworks health={data} />
          <Checks health={data} />
          <TryNode />
        </>
      )}
    </Loaded>
  );
}

function First({ health }: { health: OperatorHealth }): ReactNode {
  const { locale, time } = useTexts();
  const problems = problemsOf(health, {
    bytes: (bytes) => formatBytes(bytes, locale),
    ago: (iso) => formatPast(iso, health.checkedAt, locale),
    time,
  });
  return (
    <section className={parts['card']} aria-labelledby="health-first">
      <h2 id="health-first">
        {problems.length === 0 ? (
          <T k="health.fine" />
        ) : (
          <T k="health.problems" values={{ count: problems.length }} />
        )}
      </h2>
      <ul className={styles['problems']}>
        {problems.map((problem, index) => (
          <li key={index}>
            <ProblemLine problem={problem} />
          </li>
        ))}
      </ul>
      <p className={parts['hint']}>
        <T k="health.read" values={{ time: time(health.checkedAt) }} />
      </p>
    </section>
  );
}

const TONES = { bad: 'health.failure', warn: 'health.warning' } as const;

function ProblemLine({ problem }: { problem: Problem }): ReactNode {
  const { text } = useTexts();
  const { tone, subject, message, screen, code } = problem;
  return (
    <>
      {tone === 'idle' ? (
        <span className={styles['unknown']}>
          <T k="health.unknown" />
        </span>
      ) : (
        <Pill tone={tone}>
          <T k={TONES[tone]} />
        </Pill>
      )}
      <div>
        <strong>{typeof subject === 'string' ? <bdi>{subject}</bdi> : <T k={subject.key} />}</strong>:{' '}
        <Figures>{text(message.key, message.values)}</Figures>{' '}
        {code !== undefined && <code dir="ltr">{code}</code>}
      </div>
      {screen && (
        <Link to={screen[0]}>
          <T k={screen[1]} />
        </Link>
      )}
    </>
  );
}

function Checks({ health: { findings } }: { health: OperatorHealth }): ReactNode {
  const check = useWrite('checkHealth');
  const all = check.data?.data;
  return (
    <section className={parts['card']} aria-labelledby="health-checks">
      <h2 id="health-checks">
        <T k="health.checks" />
      </h2>
      <div role="status">
        <Findings findings={all ?? findings} />
      </div>
      <p className={parts['hint']}>
        <T k="health.check-text" />
      </p>
      {check.error && <Failure error={check.error} />}
      <div className={parts['actions']}>
        <Button kind="first" isPending={check.isPending} onPress={() => check.mutate({})}>
          <T k="health.check-all" />
        </Button>
      </div>
    </section>
  );
}
