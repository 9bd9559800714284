import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { useApi } from '../api/use-api.js';
import { LiveContext } from './live-context.js';
import { LiveUpdates } from './live-updates.js';

/** Keeps what is below it up to date. */
export function Live({ children }: { children: ReactNode }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const [updates] = useState(() => new LiveUpdates(api, client));
  useEffect(() => updates.start(), [updates]);
  const isLive = useSyncExternalStore(updates.subscribe, () => updates.isLive);
  return <LiveContext value={isLive}>{children}</LiveContext>;
}
