import { useEffect, useState, useSyncExternalStore } from 'react';

let open = 0;
const listeners = new Set<() => void>();
const tell = (change: number) => {
  open += change;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** For as long as a dialog is there. */
export function useOpenDialog(): void {
  useEffect(() => {
    tell(1);
    return () => tell(-1);
  }, []);
}

/**
 * A list as it was while a dialog is open: the row that has opened it may have left, and would take along what the
 * dialog has to say, such as the link for the customer.
 */
export function useStill<T>(current: T): T {
  const isStill = useSyncExternalStore(subscribe, () => open > 0);
  const [held, setHeld] = useState(current);
  if (!isStill && held !== current) setHeld(current);
  return isStill ? held : current;
}
