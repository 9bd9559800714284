import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { PaymentApplication } from '../api/operations.js';
import { useRead } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Loaded, Skeleton } from '../parts/states.js';
import { Allowed } from '../people/allowed.js';
import { familiesOf } from './families.pure.js';
import { WalletCard } from './wallet-card.js';
import { findWalletDraft } from './wallet-draft.js';

/** With the derivation of addresses, which is large. */
const WalletForm = lazy(() => import('./wallet-form.js'));

/** Where the money of an application goes. */
export default function Wallets({ application }: { application: PaymentApplication }): ReactNode {
  const { locale } = useTexts();
  const [asked, setAsked] = useState(() => findWalletDraft(application.id)?.family ?? null);
  const path = { id: application.id };
  const wallets = useRead('listWallets', { path });
  const blockchains = useRead('listBlockchains', {});
  return (
    <>
      <p>
        <T k="wallets.text" />
      </p>
      <Loaded query={blockchains}>
        {({ data: chains }) => {
          const families = familiesOf(chains);
          const nameOf = (family: string) =>
            new Intl.ListFormat(locale).format(
              families.find((one) => one.family === family)?.names ?? [family],
            );
          return (
            <>
              <Loaded query={wallets}>
                {({ data }) => (
                  <>
                    {data.length === 0 && (
                      <p className={parts['note']}>
                        <T k="wallets.none" />
                      </p>
                    )}
                    {data.map((wallet) => (
                      <WalletCard
                        key={wallet.family}
                        applicationId={application.id}
                        wallet={wallet}
                        name={nameOf(wallet.family)}
                        onReplace={() => setAsked(wallet.family)}
                      />
                    ))}
                  </>
                )}
              </Loaded>
              {asked === null ? (
                <Allowed to="putWallet" isExplained>
                  <div className={parts['actions']}>
                    <Button kind="first" onPress={() => setAsked('')}>
                      <T k="wallets.add" />
                    </Button>
                  </div>
                </Allowed>
              ) : (
                <Suspense fallback={<Skeleton />}>
                  <WalletForm
                    key={asked}
                    applicationId={application.id}
                    blockchains={chains}
                    families={families.map(({ family }) => [family, nameOf(family)] as const)}
                    family={asked === '' ? (families[0]?.family ?? 'evm') : asked}
                    onClose={() => setAsked(null)}
                  />
                </Suspense>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}
