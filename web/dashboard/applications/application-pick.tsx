import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { PaymentApplication } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Pick } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { Allowed } from '../people/allowed.js';
import { useApplications } from './applications.queries.js';

/** What belongs to one application: the one of the address, or the newest. */
export function OfApplication({
  children,
}: {
  children: (application: PaymentApplication) => ReactNode;
}): ReactNode {
  const { text } = useTexts();
  const [query, setQuery] = useSearchParams();
  const applications = useApplications();
  return (
    <Loaded query={applications}>
      {({ data }) => {
        const chosen = data.find(({ id }) => id === query.get('application')) ?? data[0];
        if (!chosen)
          return (
            <div className={parts['note']}>
              <p>
                <T k="applications.none" />
              </p>
              <Allowed to="createPaymentApplication">
                <div className={parts['actions']}>
                  <Link className={parts['button'] ?? ''} data-kind="first" to="/applications?new=true">
                    {text('applications.create')}
                  </Link>
                </div>
              </Allowed>
            </div>
          );
        return (
          <>
            {data.length > 1 && (
              <Pick
                label="payments.application"
                value={chosen.id}
                options={data.map(({ id, name }) => [id, name] as const)}
                onChange={(application) => setQuery({ application })}
              />
            )}
            {children(chosen)}
          </>
        );
      }}
    </Loaded>
  );
}
