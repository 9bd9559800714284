import type { ReactNode } from 'react';
import { T } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { baseOf } from '../session/account-path.pure.js';
import { basePath } from '../session/acting-account.js';
import { useAccounts } from './accounts.queries.js';

/** What is not in the account that is shown may be in another one: links that people send each other often name none. */
export function Elsewhere(): ReactNode {
  const known = useAccounts();
  const others = known?.accounts.filter(({ accountId }) => accountId !== known.acting.accountId) ?? [];
  if (others.length === 0) return null;
  const screen = `${location.pathname.slice(basePath().length)}${location.search}`;
  return (
    <>
      <p>
        <T k="people.elsewhere" />
      </p>
      <div className={parts['actions']}>
        {others.map(({ accountId, name, email }) => (
          <a key={accountId} className={parts['button']} href={`${baseOf(accountId)}${screen}`}>
            <bdi>{name ?? email}</bdi>
          </a>
        ))}
      </div>
    </>
  );
}
