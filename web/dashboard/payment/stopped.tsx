import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useRead } from '../api/use-api.js';
import { T } from '../i18n/text.js';
import { Copy } from '../parts/field.js';
import parts from '../parts/parts.module.css';

/** Of a payment whose records were changed: what that means, and what its operator needs, who alone can put them back. */
export function Stopped({ paymentId }: { paymentId: string }): ReactNode {
  const isOperator = useRead('getAccount', {}).data?.data.isOperator === true;
  return (
    <>
      <p>
        <T k="attention.integrity-text" />
      </p>
      <p className={parts['hint']}>
        <code dir="ltr">{paymentId}</code>
      </p>
      <div className={parts['actions']}>
        {isOperator ? (
          <Link to="/operator/reconciliation">
            <T k="operator.reconciliation" />
          </Link>
        ) : (
          <Copy text={paymentId} label="attention.integrity-copy" />
        )}
      </div>
    </>
  );
}
