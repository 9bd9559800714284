import type { ReactNode } from 'react';
import { T, useTexts } from '../i18n/text.js';
import { Screen } from '../shell/screen.js';
import { Wallets } from './wallets.js';

/** Of an account (specification/wallets.md#default-wallets). */
export default function DefaultWallets(): ReactNode {
  const { text } = useTexts();
  return (
    <Screen title={text('wallets.defaults')}>
      <p>
        <T k="wallets.defaults-text" />
      </p>
      <Wallets applicationId={null} />
    </Screen>
  );
}
