import type { ReactNode } from 'react';
import type { CollectionPsbt } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { save } from '../parts/export.js';
import { Copy } from '../parts/field.js';
import { Act } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Fingerprint } from '../wallets/fingerprint.js';
import { Dear } from './dear.js';
import { Owner } from './owner.js';

/** Of the file that wallets open. */
const TYPE = 'application/octet-stream';
const NO_PRICES = new Map<string, string>();

/** One for each key; the wallet that has the key signs it. @param props.name of the files */
export function Psbts({ psbts, name }: { psbts: readonly CollectionPsbt[]; name: string }): ReactNode {
  const { money } = useTexts();
  if (psbts.length === 0) return null;
  return (
    <section>
      <h3>
        <T k="collection.sign" />
      </h3>
      <p className={parts['hint']}>
        <T k="collection.psbt-how" />
      </p>
      <ul className={parts['stack']}>
        {psbts.map(({ psbt, keyFingerprint, masterFingerprint, accountPath, keyOwner, ...one }, index) => (
          <li key={psbt} className={parts['card']}>
            <p>
              <T k="collection.brings" values={{ amounts: money(one.amount), count: one.inputs }} />{' '}
              <T k="collection.fee-at" values={{ fee: money(one.fee), rate: one.feeRate }} />
            </p>
            <Dear arrives={[one.amount]} fee={one.fee} prices={NO_PRICES} />
            <p>
              <Owner of={keyOwner} />
              <br />
              <Fingerprint of={keyFingerprint} master={masterFingerprint} path={accountPath} />
            </p>
            <div className={parts['actions']}>
              <Button
                kind="first"
                onPress={() =>
                  save(
                    new Blob([bytesOf(psbt)], { type: TYPE }),
                    `${name}-${masterFingerprint ?? keyFingerprint}-${index + 1}.psbt`,
                  )
                }
              >
                <Act act="collection.save-psbt" what={money(one.amount)} />
              </Button>
              <Copy text={psbt} label="collection.copy-psbt" />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
