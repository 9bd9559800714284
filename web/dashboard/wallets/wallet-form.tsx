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
import { Field, Pick } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { StepUp } from '../session/step-up.js';
import { Addresses } from './addresses.js';
import { type Blockchain, readingsHere } from './families.pure.js';
import { Fingerprint } from './fingerprint.js';
import { findWalletDraft, walletDraft } from './wallet-draft.js';
import { walletOperations, walletPath } from './wallet-operations.js';
import styles from './wallets.module.css';

const WALLETS_THAT_WORK = 'https://git.example.com/crypto-payment-gateway/blob/main/docs/how-to/wallets.md';
/** As many as the gateway shows of a wallet. */
const PREVIEWS = 3;

interface FormProps {
  /** Null: a default wallet. */
  applicationId: string | null;
  blockchains: readonly Blockchain[];
  families: readonly (readonly [family: string, name: string])[];
  family: string;
  onClose: () => void;
}

/**
 * Sets the key of a family: paste it, compare its first addresses, use it. The addresses are derived here, so that what
 * the gateway derives afterwards can be compared with them; private keys and recovery words never leave the page.
 */
export default function WalletForm(props: FormProps): ReactNode {
  const { applicationId, blockchains, families, onClose } = props;
  const [draft] = useState(() => findWalletDraft(applicationId));
  const [family, setFamily] = useState(draft?.family ?? props.family);
  const [key, setKey] = useState(draft?.key ?? '');
  const [pasted, setPasted] = useState<ReturnType<typeof secretIn>>(null);
  const [isComparing, setComparing] = useState(draft !== null);
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
    setComparing(false);
    put.reset();
  };
  const close = () => {
    walletDraft.drop();
    onClose();
  };
  const result = isComparing ? read(key, family as AddressFamily, blockchains) : null;
  const isCompared = result !== null && typeof result !== 'string';
  return (
    <section className={parts['card']}>
      <h2>
        <T k="wallets.set" />
      </h2>
      {put.data ? (
        <>
          <Saved wallet={put.data.data} expected={compared} onClose={close} />
          {confirm.error && <Failure error={confirm.error} />}
        </>
      ) : (
        <>
          <Pick
            label="wallets.chain"
            value={family}
            options={families}
            onChange={(chosen) => {
              setFamily(chosen);
              setComparing(false);
              put.reset();
            }}
          />
          <form
            onSubmit={(event) => {
              event.preventDefault();
              // Some private keys are known as such only once they are decoded.
              if (read(key, family as AddressFamily, blockchains) === 'secret') refuseSecret('private-key');
              else setComparing(key.trim() !== '');
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
                <Button onPress={close}>
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
                  // A key that waits has to be compared when it serves.
                  if (data.pending === null) confirm.mutate({ path, body: { addresses: [...addresses] } });
                };
                put.mutate({ path, body }, { onSuccess });
              }}
              onClose={close}
            >
              {put.error && (
                <StepUp error={put.error} onLeave={() => walletDraft.keep({ applicationId, family, key })} />
              )}
            </Compare>
          )}
        </>
      )}
    </section>
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

interface SavedProps {
  wallet: Wallet;
  /** That were compared. */
  expected: readonly string[];
  onClose: () => void;
}

/** What the gateway made of it; it derives the addresses by itself, and they have to be the same. */
function Saved({ wallet, expected, onClose }: SavedProps): ReactNode {
  const { time } = useTexts();
  const { pending, previewAddresses } = wallet;
  const isOther = pending === null && previewAddresses.join() !== expected.join();
  return (
    <div role="status">
      <p className={parts['note']} data-tone={isOther ? 'bad' : pending ? 'calm' : 'good'}>
        {isOther ? (
          <T k="wallets.differ" />
        ) : pending ? (
          <T k="wallets.later" values={{ time: time(pending.effectiveAt) }} />
        ) : (
          <T k="wallets.saved" />
        )}
      </p>
      <div className={parts['actions']}>
        <Button kind="first" onPress={onClose}>
          <T k="dialog.done" />
        </Button>
      </div>
    </div>
  );
}
