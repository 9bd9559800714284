import { type ReactNode, useState } from 'react';
import {
  COLLECTOR_FACTORY,
  depositAddressOf,
  readTreasuryAddress,
  secretIn,
  type TreasuryRefusal,
} from '../../../sdk/src/derivation.js';
import type { Wallet } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Check, Field } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { StepUp } from '../session/step-up.js';
import { Saved } from './saved.js';
import { findWalletDraft, walletDraft } from './wallet-draft.js';
import { walletOperations, walletPath } from './wallet-operations.js';
import styles from './wallets.module.css';

const REFUSALS: Record<TreasuryRefusal, MessageKey> = {
  secret: 'treasury.secret',
  'seed-words': 'wallets.secret-words',
  key: 'treasury.is-key',
  name: 'treasury.is-name',
  tron: 'treasury.is-tron',
  length: 'treasury.form',
  form: 'treasury.form',
  checksum: 'treasury.typo',
  zero: 'treasury.nobody',
  precompile: 'treasury.nobody',
  burn: 'treasury.nobody',
  factory: 'treasury.nobody',
};

interface FormProps {
  /** Null: a default wallet. */
  applicationId: string | null;
  family: string;
  onSaved: () => void;
  onClose: () => void;
}

/**
 * Sets the address that everything goes to: paste it, compare it, use it. What the gateway made of it is derived here
 * once more; private keys and recovery phrases never leave the page.
 */
export function TreasuryForm({ applicationId, family, onSaved, onClose }: FormProps): ReactNode {
  const [draft] = useState(() => findWalletDraft(applicationId));
  const kept = draft?.kind === 'treasury' ? draft.key : '';
  const [text, setText] = useState(kept);
  const [address, setAddress] = useState(kept === '' ? null : kept);
  const [refusal, setRefusal] = useState<TreasuryRefusal | null>(null);
  const [isMine, setMine] = useState(false);
  const operations = walletOperations(applicationId);
  const put = useWrite(operations.put);
  const confirm = useWrite(operations.compare);
  const path = walletPath(applicationId, family);
  const refuse = (reason: TreasuryRefusal) => {
    setRefusal(reason);
    // It must not stand on a screen either.
    if (reason === 'secret' || reason === 'seed-words') setText('');
  };
  const enter = (entered: string) => {
    const secret = secretIn(entered);
    setRefusal(null);
    setText(entered);
    if (secret !== null) refuse(secret === 'private-key' ? 'secret' : 'seed-words');
    setAddress(null);
    setMine(false);
    put.reset();
  };
  const check = () => {
    if (text.trim() === '') return;
    const read = readTreasuryAddress(text);
    if (typeof read === 'string') refuse(read);
    else setAddress(read.address);
  };
  const use = () => {
    const onSuccess = ({ data }: { data: Wallet }) => {
      walletDraft.drop();
      onSaved();
      const addresses = firstAddresses(data, address);
      // One that waits has to be confirmed when it serves.
      if (data.pending === null && addresses.join() === data.previewAddresses.join())
        confirm.mutate({ path, body: { addresses } });
    };
    put.mutate({ path, body: { treasury: address } }, { onSuccess });
  };
  if (put.data)
    return (
      <>
        <Saved
          applicationId={applicationId}
          wallet={put.data.data}
          expected={firstAddresses(put.data.data, address)}
          onClose={onClose}
        />
        {confirm.error && <Failure error={confirm.error} />}
      </>
    );
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          check();
        }}
      >
        <Field
          label="treasury.address"
          hint="treasury.hint"
          value={text}
          onChange={enter}
          autoComplete="off"
          spellCheck="false"
          dir="ltr"
        />
        {refusal !== null && (
          <div role="alert" className={parts['note']} data-tone="bad">
            <p>
              <T k={REFUSALS[refusal]} />
            </p>
          </div>
        )}
        {address === null && (
          <div className={parts['actions']}>
            <Button type="submit" kind="first">
              <T k="treasury.check" />
            </Button>
            <Button onPress={onClose}>
              <T k="dialog.back" />
            </Button>
          </div>
        )}
      </form>
      {address !== null && (
        <>
          <p role="status">
            <T k="treasury.compare" />
          </p>
          <div className={styles['choice']}>
            <code dir="ltr" className={styles['address']}>
              {address}
            </code>
            <Check isSelected={isMine} onChange={setMine}>
              <T k="treasury.mine" />
            </Check>
          </div>
          {put.error && (
            <StepUp
              error={put.error}
              onLeave={() => walletDraft.keep({ applicationId, family, key: address, kind: 'treasury' })}
            />
          )}
          <div className={parts['actions']}>
            <Button kind="first" isDisabled={!isMine} isPending={put.isPending} onPress={use}>
              <T k="treasury.use" />
            </Button>
            <Button onPress={onClose}>
              <T k="dialog.back" />
            </Button>
          </div>
        </>
      )}
    </>
  );
}

/** Those of the address that was entered and of the known contract, whatever the gateway says; none while it waits. */
function firstAddresses({ treasury, previewAddresses }: Wallet, address: string | null): string[] {
  if (treasury === null || address === null) return [];
  const own = { ...treasury, address, factory: COLLECTOR_FACTORY };
  return previewAddresses.map((_, index) => depositAddressOf(own, index).address);
}
