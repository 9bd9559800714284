import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from 'react';
import { useTexts, T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/lazy-dialog.js';
import styles from '../parts/parts.module.css';
import type { Session } from './session.js';
import { startSignIn } from './sign-in.js';

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('no SessionContext');
  return session;
}

/**
 * Asks to sign in again in another tab, so that nothing that was typed here is lost. That tab tells this one when it is
 * done.
 */
export function SessionEnded(): ReactNode {
  const session = useSession();
  const client = useQueryClient();
  const state = useSyncExternalStore(session.subscribe, () => session.state);
  useEffect(() => {
    if (state === 'signed-in') void client.invalidateQueries();
  }, [state, client]);
  if (state !== 'ended') return null;
  return (
    <Dialog title="session.ended">
      <p>
        <T k="session.ended-text" />
      </p>
      <div className={styles['actions']}>
        <a
          className={styles['button']}
          data-kind="first"
          href="/dashboard/signed-in"
          target="_blank"
          rel="noopener"
        >
          <T k="session.again" />
        </a>
      </div>
    </Dialog>
  );
}

/** The end of a sign-in in a tab of its own. */
export function SignedIn(): ReactNode {
  return (
    <main className={styles['dialog']}>
      <h1>
        <T k="session.done" />
      </h1>
      <p>
        <T k="session.done-text" />
      </p>
    </main>
  );
}

/** The user refused, or the response did not come in time. */
export function SignInFailed(): ReactNode {
  const { locale } = useTexts();
  return (
    <main className={styles['dialog']}>
      <h1>
        <T k="session.failed" />
      </h1>
      <p>
        <T k="session.failed-text" />
      </p>
      <div className={styles['actions']}>
        <Button kind="first" onPress={() => void startSignIn('/dashboard', locale)}>
          <T k="session.again" />
        </Button>
      </div>
    </main>
  );
}
