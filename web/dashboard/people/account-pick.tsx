import { type ReactNode, useEffect } from 'react';
import { T, useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { actIn } from '../session/acting-account.js';
import styles from '../shell/shell.module.css';
import { ROLE_WORDS, useAccounts, useIsExpelled } from './accounts.queries.js';

/** Which account is shown, for those who may act in several. */
export function AccountPick(): ReactNode {
  const { text } = useTexts();
  const known = useAccounts();
  const isExpelled = useIsExpelled();
  useEffect(() => {
    if (isExpelled) actIn(null);
  }, [isExpelled]);
  if (!known || known.accounts.length < 2) return null;
  const [own] = known.accounts;
  return (
    <select
      className={styles['language']}
      aria-label={text('people.account')}
      value={known.acting.accountId}
      onChange={({ target }) => actIn(target.value === own?.accountId ? null : target.value)}
    >
      {known.accounts.map(({ accountId, name, email }) => (
        <option key={accountId} value={accountId}>
          {name ?? email}
        </option>
      ))}
    </select>
  );
}

/** Says that what is shown is somebody else's, and what may be done. */
export function ActingNote(): ReactNode {
  const { text } = useTexts();
  const acting = useAccounts()?.acting;
  if (!acting || acting.role === 'owner') return null;
  const values = { email: acting.email, role: text(ROLE_WORDS[acting.role]) };
  return (
    <p className={parts['note']} data-tone="calm">
      <T k={acting.role === 'viewer' ? 'people.acting-viewer' : 'people.acting'} values={values} />
    </p>
  );
}
