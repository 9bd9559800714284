import { type ReactNode, useState } from 'react';
import type { GatewayError } from '../../../sdk/src/errors.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { startSignIn } from './sign-in.js';

/** The sign-in did not ask for what changes wallets, however recent it is. */
const WITHOUT_RIGHT = 'insufficient_permissions';
const CODES: ReadonlySet<string> = new Set(['recent_sign_in_required', WITHOUT_RIGHT]);

interface StepUpProps {
  error: GatewayError;
  /** Keeps what was entered: the page is left. */
  onLeave?: () => void;
}

/** What went wrong; if a new sign-in helps, the way to it and back to this screen. */
export function StepUp({ error, onLeave }: StepUpProps): ReactNode {
  const { locale } = useTexts();
  const [isLeaving, setLeaving] = useState(false);
  if (!CODES.has(error.code)) return <Failure error={error} />;
  const leave = () => {
    setLeaving(true);
    onLeave?.();
    void startSignIn(`${location.pathname}${location.search}`, locale, true);
  };
  return (
    <div role="alert" className={parts['note']} data-tone="calm">
      <p>
        <strong>
          <T k="step-up.title" />
        </strong>{' '}
        <T k={error.code === WITHOUT_RIGHT ? 'step-up.rights' : 'step-up.text'} />
      </p>
      <div className={parts['actions']}>
        <Button kind="first" isPending={isLeaving} onPress={leave}>
          <T k="session.again" />
        </Button>
      </div>
    </div>
  );
}
