import { type ReactNode, useState } from 'react';
import type { Refund } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { refundWhat } from '../payment/figures.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy } from '../parts/field.js';
import { Confirm } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { isSigned } from '../parts/signed-link.pure.js';
import { Failure } from '../parts/states.js';
import { Allowed } from '../people/allowed.js';
import { useNetworks } from '../payments/payments.queries.js';
import { PaidDialog } from './paid-dialog.js';
import { isPayable, isWithdrawable, REFUND_WORDS } from './refund-words.pure.js';
import { Figures } from '../parts/figures.js';
import { When } from '../parts/when.js';

/** A refund with what has to be sent where, and what can be done about it. */
export function OneRefund({ refund }: { refund: Refund }): ReactNode {
  return (
    <>
      <RefundFacts refund={refund} />
      <RefundActions refund={refund} />
    </>
  );
}

/** What has to be sent where, on which network, and who asked for it. */
export function RefundFacts({ refund }: { refund: Refund }): ReactNode {
  const { text, money } = useTexts();
  const { nameOf } = useNetworks();
  const [tone, word] = REFUND_WORDS[refund.status];
  const { address, memo, explorerUrl, reason, createdBy } = refund;
  return (
    <>
      <strong>
        <Figures>{money(refund.payoutAmount)}</Figures>
      </strong>{' '}
      <Pill tone={tone}>
        <T k={word} />
      </Pill>
      <div className={parts['hint']}>
        <When at={refund.createdAt} /> · <bdi>{nameOf(refund.blockchain)}</bdi>
        {createdBy === 'customer' && <> · {text('refund.asked')}</>}
        {reason !== null && (
          <>
            {' '}
            · <bdi>{reason}</bdi>
          </>
        )}
      </div>
      {refund.status === 'AWAITING_ADDRESS' && (
        <div className={parts['hint']}>
          <T k="refund.no-address" /> <When at={refund.expiresAt} />
        </div>
      )}
      {address !== null && (
        <div className={parts['hint']}>
          <T k="refund.to" /> <code dir="ltr">{address}</code>
          {memo !== null && (
            <>
              {' '}
              · <T k="refund.memo" /> <code dir="ltr">{memo}</code>
            </>
          )}
        </div>
      )}
      {refund.txHash !== null && (
        <div className={parts['hint']}>
          <T k="refund.transaction" />{' '}
          {explorerUrl === null ? (
            <code dir="ltr">{refund.txHash}</code>
          ) : (
            <a href={explorerUrl} target="_blank" rel="noopener noreferrer">
              <code dir="ltr">{refund.txHash}</code>
            </a>
          )}
        </div>
      )}
    </>
  );
}

function RefundActions({ refund }: { refund: Refund }): ReactNode {
  const { text, money } = useTexts();
  const [asked, setAsked] = useState<'paid' | 'cancel' | null>(null);
  const cancel = useWrite('cancelRefund');
  const close = () => {
    setAsked(null);
    cancel.reset();
  };
  const path = { paymentId: refund.paymentId, refundId: refund.id };
  return (
    <div className={parts['actions']}>
      {refund.status === 'AWAITING_ADDRESS' && isSigned(refund.claimUrl) && (
        <Copy text={refund.claimUrl} label="refund.copy-claim" />
      )}
      {isPayable(refund.status) && (
        <>
          {refund.address !== null && <Copy text={refund.address} label="where.copy" />}
          <Allowed to="completeRefund">
            <Button kind="first" onPress={() => setAsked('paid')}>
              <T k="refund.paid" />
            </Button>
          </Allowed>
        </>
      )}
      {isWithdrawable(refund.status) && (
        <Allowed to="cancelRefund">
          <Button kind="danger" onPress={() => setAsked('cancel')}>
            <T k="refund.cancel" />
          </Button>
        </Allowed>
      )}
      {asked === 'cancel' && (
        <Confirm
          title="refund.cancel"
          what={refundWhat(refund, money)}
          text={text('refund.cancel-question')}
          confirm="refund.cancel"
          isDanger
          isPending={cancel.isPending}
          failure={cancel.error && <Failure error={cancel.error} />}
          onConfirm={() => cancel.mutate({ path }, { onSuccess: close })}
          onClose={close}
        />
      )}
      {asked === 'paid' && <PaidDialog paymentId={path.paymentId} refundId={path.refundId} onClose={close} />}
    </div>
  );
}
