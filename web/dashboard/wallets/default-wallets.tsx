import type { ReactNode } from 'react';
import { T, useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Screen } from '../shell/screen.js';
import { Wallets } from './wallets.js';

/** Of an account (specification/wallets.md#default-wallets). */
export default function DefaultWallets(): ReactNode {
  const { text } = useTexts();
  return (
    <Screen title={text('wallets.defaults')}>
      <div className={parts['stack']}>
        <p>
          <T k="wallets.defaults-text" />
        </p>
        <Wallets applicationId={null} />
      </div>
    </Screen>
  );
}
