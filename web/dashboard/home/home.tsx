import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { BlockchainDetails, WebhookEndpoint } from '../api/operations.js';
import { useRead } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Failure, Loaded, Skeleton } from '../parts/states.js';
import { When } from '../parts/when.js';
import { useAttentionCounts } from '../payments/payments.queries.js';
import { Screen } from '../shell/screen.js';
import { ATTENTION_WORDS } from '../payments/attention-words.pure.js';
import { GoesTo } from '../wallets/goes-to.js';
import { endpointWords } from '../webhooks/endpoint-words.pure.js';
import { isFolded, keepFolded } from './folded.js';
import { checklist, isComplete } from './checklist.pure.js';
import { ENDPOINTS, useChains, useEndpoint, useKnown } from './home.queries.js';
import styles from './home.module.css';
import { networkWords } from './network-words.pure.js';
import { Owed } from './owed.js';
import { Received } from './received.js';

/** Cards that load and fail each by itself. */
export function Home(): ReactNode {
  const { text } = useTexts();
  return (
    <Screen title={text('nav.home')}>
      <div className={parts['stack']}>
        <Attention />
        <div className={styles['columns']}>
          <Received />
          <div className={`${parts['stack']} ${styles['beside']}`}>
            <Owed />
            <Endpoints />
            <Chains />
          </div>
          <Checklist />
        </div>
      </div>
    </Screen>
  );
}

/** What waits for the merchant, by reason. */
function Attention(): ReactNode {
  const texts = useTexts();
  const counts = useAttentionCounts();
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">
        <T k="home.attention" />
      </h2>
      <Loaded query={counts} rows={1}>
        {({ data }) => {
          const some = data.filter(({ count }) => count > 0);
          if (some.length === 0)
            return (
              <p className={parts['note']}>
                <T
                  k="attention.none"
                  values={{ time: texts.time(new Date(counts.dataUpdatedAt).toISOString()) }}
                />
              </p>
            );
          return (
            <ul className={styles['cards']}>
              {some.map(({ kind, count }) => (
                <li key={kind} className={parts['card']}>
                  <Link to={`/attention?kind=${kind}`}>
                    <strong className={styles['count']}>{texts.count(count)}</strong>
                    <T k={ATTENTION_WORDS[kind]} />
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}

function Endpoints(): ReactNode {
  const applications = useRead('listPaymentApplications', {});
  return (
    <section className={parts['card']}>
      <h2>
        <Link to="/webhooks">
          <T k="home.endpoints" />
        </Link>
      </h2>
      <Loaded query={applications} rows={1}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={parts['hint']}>
              <T k="applications.none" />
            </p>
          ) : (
            <ul className={parts['stack']}>
              {data.slice(0, ENDPOINTS).map(({ id, name }) => (
                <Endpoint key={id} id={id} name={name} />
              ))}
              {data.length > ENDPOINTS && (
                <li>
                  <Link to="/webhooks">
                    <T k="home.more-endpoints" values={{ count: data.length - ENDPOINTS }} />
                  </Link>
                </li>
              )}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function Endpoint({ id, name }: { id: string; name: string }): ReactNode {
  const { data, error, refetch } = useEndpoint(id);
  return (
    <li>
      <div className={styles['line']}>
        <bdi>{name}</bdi>
        {data ? (
          <EndpointState endpoint={data.data} />
        ) : (
          !error && (
            <Pill tone="idle">
              <T k="state.loading" />
            </Pill>
          )
        )}
      </div>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
    </li>
  );
}

function EndpointState({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const [tone, word] = endpointWords(endpoint);
  const { paused, pausedAt, consecutiveFailures, lastFailureAt, lastSuccessAt } = endpoint;
  const at = paused ? pausedAt : consecutiveFailures > 0 ? lastFailureAt : lastSuccessAt;
  return (
    <span className={styles['state']}>
      <Pill tone={tone}>
        <T k={word} />
      </Pill>
      {at !== null && <When at={at} />}
    </span>
  );
}

function Chains(): ReactNode {
  const { error, retry, chains } = useChains();
  return (
    <section className={parts['card']}>
      <h2>
        <T k="home.chains" />
      </h2>
      {error && <Failure error={error} onRetry={() => void retry()} />}
      {!chains ? (
        !error && <Skeleton rows={1} />
      ) : (
        <ul className={parts['stack']}>
          {chains.map(({ slug, name, state }) => (
            <li key={slug} className={styles['line']}>
              {name}
              <NetworkState state={state} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function NetworkState({ state }: Pick<BlockchainDetails, 'state'>): ReactNode {
  const [tone, word] = networkWords(state?.status);
  return (
    <span className={styles['state']}>
      <Pill tone={tone}>
        <T k={word} />
        {state?.catchUp && (
          <>
            : <T k="chain.left" values={{ count: state.catchUp.blocksLeft }} />
          </>
        )}
      </Pill>
      {state && state.since !== null && <When at={state.since} />}
    </span>
  );
}

/** Until everything is proven; who knows it already folds it. */
function Checklist(): ReactNode {
  const client = useQueryClient();
  const { newest, ...known } = useKnown();
  const steps = checklist(known, newest);
  const [isOpen] = useState(() => !isFolded());
  if (isComplete(steps)) return null;
  return (
    <details
      className={parts['card']}
      open={isOpen}
      onToggle={({ currentTarget }) => keepFolded(!currentTarget.open)}
    >
      <summary>
        <h2 className={styles['fold']}>
          <T k="home.checklist" />
        </h2>{' '}
        <T
          k="home.steps-done"
          values={{ done: steps.filter(({ isDone }) => isDone).length, all: steps.length }}
        />
      </summary>
      <ol className={`${parts['stack']} ${styles['steps']}`}>
        {steps.map(({ text: name, isDone, path }) => (
          <li key={name}>
            <Pill tone={isDone ? 'good' : 'idle'}>
              <T k={isDone === null ? 'state.loading' : isDone ? 'step.done' : 'step.open'} />
            </Pill>{' '}
            <Link to={path}>
              <T k={name} />
            </Link>
            {name === 'step.wallet' && newest !== undefined && <GoesTo applicationId={newest} />}
          </li>
        ))}
      </ol>
      <div className={parts['actions']}>
        <Button onPress={() => void client.invalidateQueries()}>
          <T k="home.again" />
        </Button>
      </div>
    </details>
  );
}
