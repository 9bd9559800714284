import {
  keepPreviousData,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { createContext, useContext, useRef } from 'react';
import type { GatewayError } from '../../../sdk/src/errors.js';
import { useIsLive } from '../live/live-context.js';
import type { Api, Input, OperationId, Output } from './api.js';
import { resourceOf } from './resource.pure.js';

/** Milliseconds between refreshes with live updates: for what changes by the passing of time alone. */
const CALM_MS = 60_000;

export const ApiContext = createContext<Api | null>(null);

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (!api) throw new Error('no ApiContext');
  return api;
}

interface ReadOptions {
  /** Milliseconds between refreshes of a visible page without live updates; without: only when something changes. */
  everyMs?: number;
  /** False: not yet. */
  isEnabled?: boolean;
  /** It does not change while the page is open. */
  isFixed?: boolean;
}

/** Reads by one operation; keeps showing the former answer until the next one is there. */
export function useRead<K extends OperationId>(
  id: K,
  input: Input<K>,
  { everyMs, isEnabled = true, isFixed = false }: ReadOptions = {},
): UseQueryResult<Output<K>, GatewayError> {
  const api = useApi();
  const isLive = useIsLive();
  return useQuery<Output<K>, GatewayError>({
    queryKey: [...resourceOf(id, (input as { path?: Record<string, string> }).path), id, input],
    queryFn: ({ signal }) => api.call(id, input, signal),
    enabled: isEnabled,
    placeholderData: keepPreviousData as never,
    ...(isFixed && { staleTime: Number.POSITIVE_INFINITY }),
    ...(everyMs !== undefined && { refetchInterval: isLive ? Math.max(everyMs, CALM_MS) : everyMs }),
  });
}

type Mutation<K extends OperationId> = UseMutationResult<Output<K>, GatewayError, Input<K>>;

export interface Write<K extends OperationId> extends Pick<
  Mutation<K>,
  'data' | 'error' | 'isPending' | 'isSuccess' | 'reset' | 'variables'
> {
  mutate: (input: Input<K>, then?: { onSuccess?: (answer: Output<K>) => void }) => void;
}

/** Changes by one operation; everything that is shown is read again afterwards. */
export function useWrite<K extends OperationId>(id: K): Write<K> {
  const api = useApi();
  const client = useQueryClient();
  const { mutateAsync, ...state } = useMutation<Output<K>, GatewayError, Input<K>>({
    mutationFn: (input) => api.call(id, input),
    onSuccess: () => client.invalidateQueries(),
  });
  const isUnderWay = useRef(false);
  return {
    ...state,
    // What is read again may remove the button that was pressed, and React Query would then keep the answer to itself: a
    // new secret would never be seen. A failure is in `error`.
    mutate: (input, then) => {
      // The second press of a double click comes before the button shows that it was pressed, and would be a second act.
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      const end = () => {
        isUnderWay.current = false;
      };
      void mutateAsync(input)
        .then(then?.onSuccess, () => undefined)
        .finally(end);
    },
  };
}
