import type { ReactNode } from 'react';
import type { OperationId } from '../api/api.js';
import { T } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { actingAccount } from '../session/acting-account.js';
import { useAccounts } from './accounts.queries.js';
import { isAllowed, roleFor } from './roles.pure.js';

/** Whether the API lets the user do something in the account that is shown. In one's own, it does without asking. */
export function useMay(): (id: OperationId) => boolean {
  const known = useAccounts()?.acting.role;
  const role = actingAccount() === null ? 'owner' : known;
  return (id) => isAllowed(role, id);
}

interface AllowedProps {
  /** The operation that what is shown leads to. */
  to: OperationId;
  /** Says who may instead: for what a card or a screen is there for. */
  isExplained?: boolean;
  children: ReactNode;
}

/** Shows an action where the API permits it. */
export function Allowed({ to, isExplained = false, children }: AllowedProps): ReactNode {
  const may = useMay();
  if (may(to)) return children;
  return isExplained && <WhoMay to={to} />;
}

function WhoMay({ to }: { to: OperationId }): ReactNode {
  const isKnown = useAccounts() !== undefined;
  if (!isKnown) return null;
  return (
    <p className={parts['hint']}>
      <T k={roleFor(to) === 'owner' ? 'people.needs-owner' : 'people.needs-developer'} />
    </p>
  );
}
