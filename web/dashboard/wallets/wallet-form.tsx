import { type ReactNode, useState } from 'react';
import {
  type AddressFamily,
  AddressQuestionError,
  type KeyReading,
  type KeyRefusal,
  readingsOfKey,
  secretIn,
} from '../../../sdk/src/derivation.js';
import type { Wallet } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Choose, Field, Pick } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { StepUp } from '../session/step-up.js';
import { Addresses } from './addresses.js';
import { type Blockchain, readingsHere } from './families.pure.js';
import { Fingerprint } from './fingerprint.js';
import { Saved } from './saved.js';
import { TreasuryForm } from './treasury-form.js';
import { findWalletDraft, walletDraft, type WalletKind } from './wallet-draft.js';
import { WALLETS_THAT_WORK } from './wallets-that-work.js';
import { walletOperations, walletPath } from './wallet-operations.js';
import styles from './wallets.module.css';

/** As many as the gateway shows of a wallet. */
const PREVIEWS = 3;

interface FormProps {
  /** Null: a default wallet. */
  applicationId: string | null;
  blockchains: readonly Blockchain[];
  families: readonly (readonly [family: string, name: string])[];
  family: string;
  /** What is to be replaced, or comes first; the other is one press away. */
  kind: WalletKind;
  onClose: () => void;
}

/** The family whose coins and tokens can be collected by a contract. */
const TREASURY_FAMILY = 'evm';

/** Sets what addresses come from: for EVM an address that everything goes to, or, as for all others, a key. */
export default function WalletForm(props: FormProps): ReactNode {
  const { applicationId, blockchains, families, onClose } = props;
  const { text } = useTexts();
  const [draft] = useState(() => findWalletDraft(applicationId));
  const [family, setFamily] = useState(draft?.family ?? props.family);
  const [kind, setKind] = useState<WalletKind>(draft?.kind ?? props.kind);
  const [isSaved, setSaved] = useState(false);
  const close = () => {
    walletDraft.drop();
    onClose();
  };
  const onSaved = () => setSaved(true);
  const isTreasury = family === TREASURY_FAMILY && kind === 'treasury';
  return (
    <section className={parts['card']}>
      <h2>
        <T k="wallets.set" />
      </h2>
      {!isSaved && <Pick label="wallets.chain" value={family} options={families} onChange={setFamily} />}
      {!isSaved && family === TREASURY_FAMILY && (
        <Choose
          label="wallets.source"
          value={kind}
          options={[
            ['treasury', text('treasury.choice')],
            ['key', text('wallets.paste')],
          ]}
          onChange={(chosen) => setKind(chosen as WalletKind)}
        />
      )}
      {isTreasury ? (
        <TreasuryForm applicationId={applicationId} family={family} onSaved={onSaved} onClose={close} />
      ) : (
        <KeyForm
          applicationId={applicationId}
          blockchains={blockchains}
          family={family}
          onSaved={onSaved}
          onClose={close}
        />
      )}
    </section>
  );
}

type KeyFormProps = Omit<FormProps, 'families' | 'kind'> & { onSaved: () => void };

/**
 * Sets the key of a family: paste it, compare its first addresses, use it. The addresses are derived here, so that what
 * the gateway derives afterwards can be compared with them; private keys and recovery phrases never leave the page.
 */
function KeyForm({ applicationId, blockchains, family, onSaved, onClose }: KeyFormProps): ReactNode {
  const [draft] = useState(() => findWalletDraft(applicationId));
  const kept = draft !== null && draft.kind !== 'treasury' ? draft : null;
  const [key, setKey] = useState(kept?.key ?? '');
  const [pasted, setPasted] = useState<ReturnType<typeof secretIn>>(null);
  /** The family that it is compared for. */
  const [comparing, setComparing] = useState(kept?.family ?? null);
  const [compared, setCompared] = useState<readonly string[]>([]);
  const operations = walletOperations(applicationId);
  const put = useWrite(operations.put);
  const confirm = useWrite(operations.compare);
  const refuseSecret = (secret: NonNullable<typeof pasted>) => {
    setPasted(secret);
    // It must not stand on a screen either.
    setKey('');
  };
  const enter = (text: string) => {
    const secret = secretIn(text);
    if (secret === null) {
      setPasted(null);
      setKey(text);
    } else refuseSecret(secret);
    setComparing(null);
    put.reset();
  };
  const result = comparing === family ? read(key, family as AddressFamily, blockchains) : null;
  const isCompared = result !== null && typeof result !== 'string';
  if (put.data)
    return (
      <>
        <Saved applicationId={applicationId} wallet={put.data.data} expected={compared} onClose={onClose} />
        {confirm.error && <Failure error={confirm.error} />}
      </>
    );
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // Some private keys are known as such only once they are decoded.
          if (read(key, family as AddressFamily, blockchains) === 'secret') refuseSecret('private-key');
          else setComparing(key.trim() === '' ? null : family);
        }}
      >
        <Field
          label="wallets.paste"
          hint="wallets.paste-hint"
          value={key}
          onChange={enter}
          autoComplete="off"
          spellCheck="false"
          dir="ltr"
        />
        <p className={parts['hint']}>
          <T k="wallets.one-account" />
        </p>
        <p className={parts['hint']}>
          <a href={WALLETS_THAT_WORK} target="_blank" rel="noreferrer">
            <T k="wallets.which" />
          </a>
        </p>
        {pasted !== null && (
          <div role="alert" className={parts['note']} data-tone="bad">
            <p>
              <T k={pasted === 'private-key' ? 'wallets.secret-key' : 'wallets.secret-words'} />
            </p>
          </div>
        )}
        {!isCompared && (
          <div className={parts['actions']}>
            <Button type="submit" kind="first">
              <T k="wallets.check" />
            </Button>
            <Button onPress={onClose}>
              <T k="dialog.back" />
            </Button>
          </div>
        )}
      </form>
      {result !== null && (
        <Compare
          key={`${family} ${key}`}
          result={result}
          isPending={put.isPending}
          onUse={({ scriptType, addresses, key: extendedPublicKey }) => {
            setCompared(addresses);
            const body = { extendedPublicKey, ...(scriptType !== null && { scriptType }) };
            const path = walletPath(applicationId, family);
            const onSuccess = ({ data }: { data: Wallet }) => {
              walletDraft.drop();
              onSaved();
              // A key that waits has to be compared when it serves.
              if (data.pending === null) confirm.mutate({ path, body: { addresses: [...addresses] } });
            };
            put.mutate({ path, body }, { onSuccess });
          }}
          onClose={onClose}
        >
          {put.error && (
            <StepUp
              error={put.error}
              onLeave={() => walletDraft.keep({ applicationId, family, key, kind: 'key' })}
            />
          )}
        </Compare>
      )}
    </>
  );
}

const REFUSALS: Record<KeyRefusal, MessageKey> = {
  secret: 'wallets.secret-key',
  form: 'wallets.refused-form',
  typo: 'wallets.refused-typo',
  'other-kind': 'wallets.refused-other-kind',
  'other-network': 'wallets.other-network',
  account: 'wallets.refused-account',
  signers: 'wallets.refused-signers',
  descriptor: 'wallets.refused-descriptor',
};

/** What the key is on this gateway, or why it is none. */
function read(
  key: string,
  family: AddressFamily,
  blockchains: readonly Blockchain[],
): readonly KeyReading[] | KeyRefusal {
  try {
    const readings = readingsHere(readingsOfKey(key, family, PREVIEWS), family, blockchains);
    return readings.length === 0 ? 'other-network' : readings;
  } catch (error) {
    if (!(error instanceof AddressQuestionError) || error.refusal === null) throw error;
    return error.refusal;
  }
}

interface CompareProps {
  result: readonly KeyReading[] | KeyRefusal;
  isPending: boolean;
  onUse: (reading: KeyReading) => void;
  onClose: () => void;
  /** What went wrong. */
  children: ReactNode;
}

/** The addresses; the key is used only after somebody has said that they are those of the wallet. */
function Compare({ result, isPending, onUse, onClose, children }: CompareProps): ReactNode {
  const [chosen, setChosen] = useState<KeyReading | null>(null);
  if (typeof result === 'string')
    return (
      <div role="alert" className={parts['note']} data-tone="bad">
        <p>
          <T k={REFUSALS[result]} />
        </p>
      </div>
    );
  const isOpen = result.length > 1;
  return (
    <>
      <p role="status">
        <T k={isOpen ? 'wallets.choose' : 'wallets.compare'} />
      </p>
      {result.map((reading) => (
        <div key={reading.addresses.join()} className={styles['choice']}>
          <p className={parts['hint']}>
            <Fingerprint
              of={reading.fingerprint}
              master={reading.masterFingerprint}
              path={reading.accountPath}
            />{' '}
            {reading.scriptType}
          </p>
          <Addresses addresses={reading.addresses} />
          <label>
            <input
              type={isOpen ? 'radio' : 'checkbox'}
              name="reading"
              checked={chosen === reading}
              onChange={(event) => setChosen(event.target.checked ? reading : null)}
            />
            <T k="wallets.mine" />
          </label>
        </div>
      ))}
      {children}
      <div className={parts['actions']}>
        <Button
          kind="first"
          isDisabled={chosen === null}
          isPending={isPending}
          onPress={() => chosen && onUse(chosen)}
        >
          <T k="wallets.use" />
        </Button>
        <Button onPress={onClose}>
          <T k="dialog.back" />
        </Button>
      </div>
    </>
  );
}
