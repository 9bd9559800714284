import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ChainReport } from '../api/operations.js';
import { useRead } from '../api/use-api.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';
import { Row, Table } from '../parts/table.js';
import { CHAIN_WORDS } from './chain-words.pure.js';
import { ResumeChain } from './resume-chain.js';

/** Milliseconds. */
const REFRESH_MS = 10_000;

/** The condition of each chain and of its endpoints. A halt is ended here; the rest is changed by the configuration. */
export function Chains(): ReactNode {
  const chains = useRead('listChainReports', {}, { everyMs: REFRESH_MS });
  return (
    <Loaded query={chains}>
      {({ data }) =>
        data.length === 0 ? (
          <p className={parts['note']}>
            <T k="chain.none" />{' '}
            <Link to="/operator/health#try-node">
              <T k="node.title" />
            </Link>
          </p>
        ) : (
          data.map((chain) => <Chain key={chain.slug} chain={chain} />)
        )
      }
    </Loaded>
  );
}

function Chain({ chain }: { chain: ChainReport }): ReactNode {
  const { slug, name, state, alert, head, lag, endpoints, endpoint, reorgs, halted } = chain;
  return (
    <section className={parts['card']}>
      <h2>
        {name}{' '}
        <Pill tone={CHAIN_WORDS[state][0]}>
          <T k={CHAIN_WORDS[state][1]} />
        </Pill>
      </h2>
      {[alert?.message, halted?.reason, endpoint?.ok === false ? endpoint.error : null].map(
        (problem, index) =>
          problem && (
            <p key={index} className={parts['note']} data-tone="bad">
              <bdi>{problem}</bdi>
            </p>
          ),
      )}
      <dl className={parts['facts']}>
        <Fact name="chain.head">{head ? <code>{head.height}</code> : '—'}</Fact>
        <Fact name="chain.lag">{lag?.blocks ?? '—'}</Fact>
        <Fact name="chain.reorgs">{reorgs.count}</Fact>
        <Fact name="chain.accepts">
          <T k={chain.acceptsPayments ? 'chain.yes' : 'chain.no'} />
        </Fact>
      </dl>
      {state === 'halted' && <ResumeChain slug={slug} name={name} />}
      {endpoints.length > 0 && <Endpoints chain={chain} />}
    </section>
  );
}

function Fact({ name, children }: { name: MessageKey; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>
        <T k={name} />
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

const ENDPOINT_COLUMNS = [
  { key: 'chain.endpoint' },
  { key: 'payments.status' },
  { key: 'chain.lag' },
  { key: 'chain.error' },
] as const;

/** By their place in the configuration: their addresses can contain keys, and are never shown. */
function Endpoints({ chain: { endpoints } }: { chain: ChainReport }): ReactNode {
  return (
    <Table caption="chain.endpoints" columns={ENDPOINT_COLUMNS}>
      {endpoints.map(({ position, state, lagBlocks, lastError, needs }) => {
        const problems = [lastError, ...needs].filter((one) => one !== null);
        return (
          <Row
            key={position}
            cells={[
              position,
              <code>{state}</code>,
              lagBlocks ?? '—',
              problems.length > 0 && <bdi>{problems.join(' · ')}</bdi>,
            ]}
          />
        );
      })}
    </Table>
  );
}
