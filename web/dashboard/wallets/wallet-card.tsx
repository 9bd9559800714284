import { type ReactNode, useState } from 'react';
import type { Wallet } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Allowed } from '../people/allowed.js';
import { When } from '../parts/when.js';
import { StepUp } from '../session/step-up.js';
import { Addresses } from './addresses.js';
import { OnlyTo } from './only-to.js';
import { UseOfAddresses } from './use-of-addresses.js';
import { walletOperations, walletPath } from './wallet-operations.js';

interface CardProps {
  /** Null: a default wallet. */
  applicationId: string | null;
  wallet: Wallet;
  /** The blockchains of its family. */
  name: string;
  onReplace: () => void;
}

/** One key, when it was set and by whom, and what waits. */
export function WalletCard({ applicationId, wallet, name, onReplace }: CardProps): ReactNode {
  const { text, time } = useTexts();
  const [isAsking, setAsking] = useState(false);
  const operations = walletOperations(applicationId);
  const remove = useWrite(operations.remove);
  const keep = useWrite(operations.keep);
  const path = walletPath(applicationId, wallet.family);
  const { pending, treasury } = wallet;
  return (
    <section className={parts['card']}>
      <h2>
        {name}{' '}
        <Pill tone={wallet.status === 'active' ? 'good' : 'calm'}>
          <T k={wallet.status === 'active' ? 'wallets.active' : 'wallets.waiting'} />
        </Pill>
      </h2>
      {pending && (
        <div className={parts['note']} data-tone="warn">
          <p>
            {pending.treasury !== null ? (
              <T
                k="treasury.pending"
                values={{ address: pending.treasury.address, time: time(pending.effectiveAt) }}
              />
            ) : pending.fingerprint === null ? (
              <T k="wallets.pending-removal" values={{ time: time(pending.effectiveAt) }} />
            ) : (
              <T
                k="wallets.pending"
                values={{ fingerprint: pending.fingerprint, time: time(pending.effectiveAt) }}
              />
            )}{' '}
            (<T k={pending.requestedBy === 'user' ? 'wallets.by-user' : 'wallets.by-server'} />)
          </p>
          <Allowed to={operations.keep}>
            <div className={parts['actions']}>
              <Button isPending={keep.isPending} onPress={() => keep.mutate({ path })}>
                <T k="wallets.keep" />
              </Button>
            </div>
          </Allowed>
        </div>
      )}
      <dl className={parts['facts']}>
        <div>
          <dt>
            <T k={treasury ? 'treasury.address' : 'wallets.key'} />
          </dt>
          <dd>
            <code dir="ltr">{treasury?.address ?? wallet.extendedPublicKey}</code> {wallet.scriptType}
          </dd>
        </div>
        {wallet.masterFingerprint !== null && (
          <div>
            <dt>
              <T k="wallets.master" />
            </dt>
            <dd>
              <code>{wallet.masterFingerprint}</code>
            </dd>
          </div>
        )}
        {treasury === null && (
          <div>
            <dt>
              <T k="wallets.fingerprint" />
            </dt>
            <dd>
              <code>{wallet.fingerprint}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>
            <T k="wallets.changed" />
          </dt>
          <dd>
            <When at={wallet.changedAt ?? wallet.createdAt} />
            {wallet.changedBy !== null && (
              <>
                {' · '}
                <T k={wallet.changedBy === 'user' ? 'wallets.by-user' : 'wallets.by-server'} />
              </>
            )}
          </dd>
        </div>
        {wallet.previousFingerprint !== null && (
          <div>
            <dt>
              <T k="wallets.previous" />
            </dt>
            <dd>
              <code>{wallet.previousFingerprint}</code>
            </dd>
          </div>
        )}
        {wallet.status === 'active' && (
          <div>
            <dt>
              <T k="wallets.addresses" />
            </dt>
            <dd>
              {wallet.previewAddresses.length > 0 ? (
                <>
                  <Addresses addresses={wallet.previewAddresses} />
                  {treasury && <OnlyTo treasury={treasury} />}
                  <Comparison applicationId={applicationId} wallet={wallet} />
                </>
              ) : (
                <T k="wallets.other-network" />
              )}
            </dd>
          </div>
        )}
      </dl>
      <UseOfAddresses applicationId={applicationId} wallet={wallet} />
      {keep.error && <StepUp error={keep.error} />}
      <div className={parts['actions']}>
        <Allowed to={operations.put}>
          <Button aria-label={text('wallets.replace-named', { name })} onPress={onReplace}>
            <T k="wallets.replace" />
          </Button>
        </Allowed>
        <Allowed to={operations.remove}>
          <Button
            kind="danger"
            aria-label={text('wallets.remove-named', { name })}
            onPress={() => setAsking(true)}
          >
            <T k="wallets.remove" />
          </Button>
        </Allowed>
      </div>
      {isAsking && (
        <Confirm
          title="wallets.remove"
          what={`${name} · ${treasury?.address ?? wallet.masterFingerprint ?? wallet.fingerprint}`}
          text={text(applicationId === null ? 'wallets.defaults-remove' : 'wallets.remove-question')}
          confirm="wallets.remove"
          isDanger
          isPending={remove.isPending}
          failure={remove.error && <StepUp error={remove.error} />}
          onConfirm={() => remove.mutate({ path }, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

type ComparisonProps = Pick<CardProps, 'applicationId' | 'wallet'>;

/** Whether somebody has seen these addresses in their own wallet; the gateway derives them once more. */
function Comparison({ applicationId, wallet }: ComparisonProps): ReactNode {
  const { time } = useTexts();
  const operation = walletOperations(applicationId).compare;
  const compare = useWrite(operation);
  const isTreasury = wallet.kind === 'treasury';
  if (wallet.comparedAt !== null)
    return (
      <p className={parts['hint']}>
        <T
          k={isTreasury ? 'treasury.compared' : 'wallets.compared'}
          values={{ time: time(wallet.comparedAt) }}
        />
      </p>
    );
  const path = walletPath(applicationId, wallet.family);
  const body = { addresses: wallet.previewAddresses };
  return (
    <>
      <p className={parts['hint']}>
        <T k={isTreasury ? 'treasury.uncompared' : 'wallets.uncompared'} />
      </p>
      {compare.error && <StepUp error={compare.error} />}
      <Allowed to={operation}>
        <Button isPending={compare.isPending} onPress={() => compare.mutate({ path, body })}>
          <T k={isTreasury ? 'treasury.mine' : 'wallets.confirm'} />
        </Button>
      </Allowed>
    </>
  );
}
