import type { ReactNode } from 'react';
import type { HoldingAddress } from '../api/operations.js';
import { useRead } from '../api/use-api.js';
import { T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { save } from '../parts/export.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { collectorFiles } from './collector-rows.pure.js';
import { useAllAddresses } from './funds.queries.js';

/** What was paid last says whether the application has a treasury. */
const NEWEST = 100;

/**
 * The lists for the page that collects from a treasury without the gateway. Nothing while the newest addresses are of keys:
 * their wallet spends from them.
 */
export function Lists({ applicationId }: { applicationId: string }): ReactNode {
  const newest = useRead('listHoldingAddresses', { path: { id: applicationId }, query: { limit: NEWEST } });
  const lists = useAllAddresses(applicationId, saveLists);
  if (newest.error) return <Failure error={newest.error} onRetry={() => void newest.refetch()} />;
  if (!newest.data?.data.some(({ derivation }) => derivation?.treasury)) return null;
  return (
    <section className={parts['card']}>
      <h2>
        <T k="treasury.collect" />
      </h2>
      <p className={parts['hint']}>
        <T k="treasury.collect-how" />
      </p>
      {lists.error && <Failure error={lists.error} />}
      <p role="status">{lists.isSuccess && <T k="export.done" />}</p>
      <div className={parts['actions']}>
        <Button isPending={lists.isPending} onPress={() => lists.mutate()}>
          <T k="treasury.collect-save" />
        </Button>
        <a href="/collector" target="_blank" rel="noopener noreferrer">
          <T k="treasury.collect-page" />
        </a>
      </div>
    </section>
  );
}

function saveLists(received: readonly HoldingAddress[]): void {
  for (const [chain, rows] of collectorFiles(received))
    save(new Blob([JSON.stringify(rows, null, 1)], { type: 'application/json' }), `collect-${chain}.json`);
}
