import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { NodeTrial } from '../api/operations.js';
import { useRead, useWrite } from '../api/use-api.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy, Field, Pick } from '../parts/field.js';
import { Form } from '../parts/form.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';
import { StepUp } from '../session/step-up.js';
import { Findings } from './findings.js';
import styles from './health.module.css';
import { formatPast } from '../i18n/ago.pure.js';
import { formatDuration } from './measures.pure.js';
import { nodeLines } from './node-lines.pure.js';
import { Unknown } from './unknown.js';

const ABILITIES: Record<NodeTrial['abilities'][number]['ability'], MessageKey> = {
  blocks: 'node.blocks',
  mempool: 'node.mempool',
  tokens: 'node.tokens',
  contracts: 'node.contracts',
  receipts: 'node.receipts',
  finality: 'node.finality',
  history: 'node.history',
};

interface Asked {
  blockchain: string;
  source: 'node' | 'esplora';
  address: string;
}

/** What a node can do, before it is configured. The address stays in this page. */
export function TryNode(): ReactNode {
  const chains = useRead('listTriableChains', {}, { isFixed: true });
  const { text } = useTexts();
  const [blockchain, setBlockchain] = useState('ethereum');
  const [chosen, setSource] = useState<Asked['source']>('node');
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = useWrite('tryNode');
  const section = useRef<HTMLElement>(null);
  const { hash } = useLocation();
  // Links lead here, and what is above has just been loaded.
  useEffect(() => {
    if (hash === '#try-node') section.current?.scrollIntoView();
  }, [hash]);
  return (
    <section ref={section} className={parts['card']} id="try-node" aria-labelledby="try-node-title">
      <h2 id="try-node-title">
        <T k="node.title" />
      </h2>
      <p className={`${parts['hint']} ${styles['about']}`}>
        <T k="node.text" />
      </p>
      <Loaded query={chains} rows={1}>
        {({ data }) => {
          const takesEsplora = data.find(({ slug }) => slug === blockchain)?.takesEsplora === true;
          const source = takesEsplora ? chosen : 'node';
          const isSignIn = ask.error !== null && Object.keys(ask.error.errors).length === 0;
          return (
            <Form
              error={isSignIn ? null : ask.error}
              onSubmit={(form) => {
                const address = form.get('address');
                const body: Asked = {
                  blockchain,
                  source,
                  address: typeof address === 'string' ? address.trim() : '',
                };
                setAsked(body);
                ask.mutate({ body });
              }}
              actions={
                <>
                  {isSignIn && ask.error && <StepUp error={ask.error} />}
                  <div className={parts['actions']}>
                    <Button type="submit" kind="first" isPending={ask.isPending}>
                      <T k="node.try" />
                    </Button>
                  </div>
                </>
              }
            >
              <Pick
                label="filters.network"
                value={blockchain}
                options={data.map(({ slug, name }) => [slug, name] as const)}
                onChange={setBlockchain}
              />
              {takesEsplora && (
                <Pick
                  label="node.source"
                  value={source}
                  options={[
                    ['node', text('node.node')],
                    ['esplora', 'Esplora'],
                  ]}
                  onChange={(value) => setSource(value === 'esplora' ? 'esplora' : 'node')}
                />
              )}
              <Field
                name="address"
                label="node.address"
                hint="node.address-hint"
                dir="ltr"
                type="url"
                autoComplete="off"
                spellCheck="false"
              />
            </Form>
          );
        }}
      </Loaded>
      <div role="status">
        {ask.data && asked && !ask.isPending && !ask.error && <Result trial={ask.data.data} asked={asked} />}
      </div>
    </section>
  );
}

function Result({ trial, asked }: { trial: NodeTrial; asked: Asked }): ReactNode {
  const { locale, text } = useTexts();
  const { works, network, height, headTime, latencyMs, abilities, findings } = trial;
  const isLimited = abilities.some(({ has }) => has === false);
  const [now] = useState(() => new Date().toISOString());
  const { setting, command } = nodeLines(asked.blockchain, asked.source, asked.address);
  return (
    <div className={`${parts['stack']} ${styles['result']}`}>
      <p className={parts['note']} data-tone={works ? (isLimited ? 'warn' : 'good') : 'bad'}>
        <strong>
          <T k={works ? (isLimited ? 'node.limited' : 'node.works') : 'node.fails'} />
        </strong>
      </p>
      {height !== null && (
        <dl className={parts['facts']}>
          <Fact name="node.id">{network ?? <Unknown />}</Fact>
          <Fact name="chain.head">
            <code>{height}</code>
            {headTime !== null && <> · {formatPast(headTime, now, locale)}</>}
          </Fact>
          <Fact name="node.latency">
            {latencyMs === null ? <Unknown /> : formatDuration(latencyMs, locale)}
          </Fact>
          {abilities.map(({ ability, has }) => (
            <Fact key={ability} name={ABILITIES[ability]}>
              {has === null ? (
                <Unknown />
              ) : (
                <Pill tone={has ? 'good' : 'warn'}>
                  <T k={has ? 'chain.yes' : 'chain.no'} />
                </Pill>
              )}
            </Fact>
          ))}
        </dl>
      )}
      <Findings findings={findings} />
      {works &&
        (
          [
            ['node.line', setting],
            ['node.command', command],
          ] as const
        ).map(
          ([label, line]) =>
            line !== null && (
              <div key={label}>
                <h3>
                  <T k={label} />
                </h3>
                <pre dir="ltr" className={styles['line']} tabIndex={0} aria-label={text(label)}>
                  {line}
                </pre>
                <Copy text={line} />
              </div>
            ),
        )}
    </div>
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
