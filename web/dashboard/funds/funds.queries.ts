import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { GatewayError } from '../../../sdk/src/errors.js';
import type { Api } from '../api/api.js';
import type { Collection, HoldingAddress, PrepareCollection } from '../api/operations.js';
import { useApi, useRead } from '../api/use-api.js';
import type { Prices } from './prepared.pure.js';

/** Of a request. */
const PAGE = 100;

export function useHoldings(applicationId: string) {
  return useRead('listHoldings', { path: { id: applicationId } });
}

export function useNetworks() {
  return useRead('listBlockchains', {}, { isFixed: true });
}

export function useDestinations(applicationId: string) {
  return useRead('listDestinations', { path: { id: applicationId } });
}

/** Every address that has received something. */
export function useAllAddresses(applicationId: string, then: (received: HoldingAddress[]) => void) {
  const api = useApi();
  return useMutation<void, GatewayError, void>({
    mutationFn: async () => {
      const received: HoldingAddress[] = [];
      let after: string | undefined;
      do {
        const query = { limit: PAGE, ...(after !== undefined && { after }) };
        const { data, meta } = await api.call('listHoldingAddresses', { path: { id: applicationId }, query });
        received.push(...data);
        after = meta.cursor.hasMore ? (meta.cursor.next ?? undefined) : undefined;
      } while (after !== undefined);
      then(received);
    },
  });
}

/** What the chain has answered, about older and older addresses. */
export interface Prepared {
  body: PrepareCollection;
  parts: readonly Collection[];
  prices: Prices;
  /** RFC 3339. */
  at: string;
}

interface Ask {
  body: PrepareCollection;
  /** Kept, and gone on from; empty: from the newest addresses on. */
  known: readonly Collection[];
  pages: number;
}

/** Asks what can be collected; nothing is stored by it, and what was known stays until there is an answer. */
export function usePrepared(applicationId: string) {
  const api = useApi();
  const [prepared, setPrepared] = useState<Prepared | null>(null);
  const { mutate, error, isPending } = useMutation<Prepared, GatewayError, Ask>({
    mutationFn: async ({ body, known, pages }) => {
      const parts = [...known];
      for (let page = 0; page < pages; page += 1) {
        const after = parts.at(-1)?.next;
        if (after === null) break;
        const path = { id: applicationId };
        const query = after === undefined ? {} : { after };
        parts.push((await api.call('prepareCollection', { path, query, body })).data);
      }
      return { body, parts, prices: await pricesOf(api, parts), at: new Date().toISOString() };
    },
    onSuccess: setPrepared,
  });
  return {
    prepared,
    error,
    isPending,
    ask: (body: PrepareCollection) => {
      setPrepared(null);
      mutate({ body, known: [], pages: 1 });
    },
    askAgain: ({ body, parts }: Prepared) => mutate({ body, known: [], pages: parts.length }),
    goOn: ({ body, parts }: Prepared) => mutate({ body, known: parts, pages: 1 }),
  };
}

/** For the comparison with the fee, which is in another coin where treasuries collect tokens. */
async function pricesOf(api: Api, parts: readonly Collection[]): Promise<Prices> {
  const fees = parts.flatMap(({ transactions }) => transactions.flatMap(({ fee }) => fee ?? []));
  if (fees.length === 0) return new Map();
  const arrives = parts.flatMap(({ expected }) => expected.map(({ amount }) => amount));
  const codes = [...new Set([...fees, ...arrives].map(({ currency }) => currency.code))];
  const found = await Promise.all(
    codes.map(async (code) => {
      try {
        const { data } = await api.call('listRates', { query: { base: code, quote: ['USD'] } });
        return data.flatMap(({ value, stale }) => (stale ? [] : [[code, value] as const]));
      } catch (error) {
        // Without a price nothing is compared, and everything else is there.
        if (error instanceof GatewayError) return [];
        throw error;
      }
    }),
  );
  return new Map(found.flat());
}
