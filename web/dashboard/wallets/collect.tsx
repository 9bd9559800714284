import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { GatewayError } from '../../../sdk/src/errors.js';
import type { HoldingAddress } from '../api/operations.js';
import { useApi, useRead } from '../api/use-api.js';
import { T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { save } from '../parts/export.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { collectorFiles } from './collector-rows.pure.js';

/** Of a request. */
const PAGE = 100;

/**
 * What lies on the addresses of a treasury, the application's own or the account's, for the page that collects it without
 * the gateway. Nothing while its newest addresses are of keys: their wallet spends from them.
 */
export function Collect({ applicationId }: { applicationId: string }): ReactNode {
  const api = useApi();
  const newest = useRead('listHoldingAddresses', { path: { id: applicationId }, query: { limit: PAGE } });
  const lists = useMutation<void, GatewayError, void>({
    mutationFn: async () => {
      const received: HoldingAddress[] = [];
      let after: string | undefined;
      do {
        const query = { limit: PAGE, ...(after !== undefined && { after }) };
        const { data, meta } = await api.call('listHoldingAddresses', { path: { id: applicationId }, query });
        received.push(...data);
        after = meta.cursor.hasMore ? (meta.cursor.next ?? undefined) : undefined;
      } while (after !== undefined);
      const files = collectorFiles(received);
      for (const [chain, rows] of files)
        save(
          new Blob([JSON.stringify(rows, null, 1)], { type: 'application/json' }),
          `collect-${chain}.json`,
        );
    },
  });
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
