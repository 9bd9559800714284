import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { walletFamilyOf } from './browser-wallets.js';
import type { PaymentView } from './screen.js';

/**
 * On phones without a wallet in the browser: links that open this page in a wallet's own one, where it pays the exact
 * amount. The script makes them of the address that the customer has (web/checkout/wallet-apps.ts). Null on chains whose
 * wallets it cannot ask.
 */
export function walletAppsFold(
  { texts, walletApps }: Pick<PaymentView, 'texts' | 'walletApps'>,
  instructions: PaymentInstructionsContract,
): Html | null {
  const family = walletFamilyOf(instructions);
  const apps = family === null ? [] : walletApps[family];
  if (family === null || apps.length === 0) return null;
  const links = apps.map(
    ({ name, link }) =>
      markup`<a class="button plain" data-link="${link}" target="_top"><bdi>${name}</bdi></a>`,
  );
  return markup`<details class="fold" id="fold-apps" data-family="${family}" hidden><summary>${texts.text('pay.apps')}</summary><p>${texts.text('pay.apps-how')}</p><div class="wallets">${links}</div></details>`;
}
