import { type ReactNode, useSyncExternalStore } from 'react';
import { formatAgo } from '../i18n/ago.pure.js';
import { useTexts } from '../i18n/text.js';
import styles from './parts.module.css';

/** Milliseconds between two looks at the clock: "2 minutes ago" is at most so much too young. */
const LOOK_MS = 15_000;

/** One timer for all times of a page. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = new Date();

function look(): void {
  now = new Date();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = new Date();
    timer = setInterval(look, LOOK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** A moment to the second with its zone, and how long ago it was. @param at RFC 3339 */
export function When({ at }: { at: string }): ReactNode {
  const { time, locale } = useTexts();
  const from = useSyncExternalStore(subscribe, () => now);
  return (
    <time dateTime={at} className={styles['when']}>
      {time(at)} <span>{formatAgo(at, from, locale)}</span>
    </time>
  );
}
