import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import type { PaymentApplication } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { Allowed } from '../people/allowed.js';

/** Deletes an application; addresses of its payments stay watched. */
export function Remove({ application }: { application: PaymentApplication }): ReactNode {
  const { text } = useTexts();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useWrite('deletePaymentApplication');
  return (
    <section className={parts['card']}>
      <h2>
        <T k="applications.delete" />
      </h2>
      <p className={parts['hint']}>
        <T k="applications.delete-text" />
      </p>
      <Allowed to="deletePaymentApplication" isExplained>
        <div className={parts['actions']}>
          <Button kind="danger" onPress={() => setAsking(true)}>
            <T k="applications.delete" />
          </Button>
        </div>
      </Allowed>
      {isAsking && (
        <Confirm
          title="applications.delete"
          what={application.name}
          text={text('applications.delete-question', { name: application.name })}
          confirm="applications.delete"
          isDanger
          isPending={remove.isPending}
          failure={remove.error && <Failure error={remove.error} />}
          onConfirm={() =>
            remove.mutate(
              { path: { id: application.id } },
              { onSuccess: () => void navigate('/applications') },
            )
          }
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
