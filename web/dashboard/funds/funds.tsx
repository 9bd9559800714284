import { type ReactNode, useState } from 'react';
import { OfApplication } from '../applications/application-pick.js';
import { T, useTexts } from '../i18n/text.js';
import { Pick } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { Allowed } from '../people/allowed.js';
import { Screen } from '../shell/screen.js';
import { useHoldings, useNetworks } from './funds.queries.js';
import { Holdings } from './holdings.js';
import { choicesOf, type CollectionChoice } from './holdings.pure.js';
import { Lists } from './lists.js';
import { Prepare } from './prepare.js';

/** What has come in, where it lies, and how it is brought together. */
export default function Funds(): ReactNode {
  const { text } = useTexts();
  return (
    <Screen title={text('nav.funds')}>
      <OfApplication>{({ id }) => <OfOne key={id} applicationId={id} />}</OfApplication>
    </Screen>
  );
}

function OfOne({ applicationId }: { applicationId: string }): ReactNode {
  const holdings = useHoldings(applicationId);
  const networks = useNetworks();
  return (
    <Loaded query={networks}>
      {({ data: known }) => (
        <Loaded query={holdings}>
          {({ data }) =>
            data.length === 0 ? (
              <p className={parts['note']}>
                <T k="holdings.none" />
              </p>
            ) : (
              <div className={parts['stack']}>
                <Holdings applicationId={applicationId} holdings={data} networks={known} />
                <Collecting applicationId={applicationId} choices={choicesOf(data, known)} />
              </div>
            )
          }
        </Loaded>
      )}
    </Loaded>
  );
}

interface CollectingProps {
  applicationId: string;
  choices: readonly CollectionChoice[];
}

function Collecting({ applicationId, choices }: CollectingProps): ReactNode {
  const [slug, setSlug] = useState('');
  const chosen = choices.find((one) => one.slug === slug) ?? choices[0];
  if (!chosen) return null;
  return (
    <>
      <section className={parts['card']}>
        <h2>
          <T k="collection.title" />
        </h2>
        <p className={parts['hint']}>
          <T k="collection.text" />
        </p>
        <Allowed to="prepareCollection" isExplained>
          <Pick
            label="filters.network"
            value={chosen.slug}
            options={choices.map((one) => [one.slug, one.name] as const)}
            onChange={setSlug}
          />
          {chosen.kind === 'by-hand' ? (
            <p className={parts['note']}>
              <T k="collection.by-hand" values={{ network: chosen.name }} />
            </p>
          ) : (
            <Prepare key={chosen.slug} applicationId={applicationId} choice={chosen} />
          )}
        </Allowed>
      </section>
      <Lists applicationId={applicationId} />
    </>
  );
}
