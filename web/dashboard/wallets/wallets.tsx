import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { PaymentApplication, Wallet } from '../api/operations.js';
import { useRead } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Loaded, Skeleton } from '../parts/states.js';
import { Allowed } from '../people/allowed.js';
import { familiesOf } from './families.pure.js';
import { GoesTo } from './goes-to.js';
import { WalletCard } from './wallet-card.js';
import { findWalletDraft } from './wallet-draft.js';
import { walletOperations, walletPath } from './wallet-operations.js';

/** With the derivation of addresses, which is large. */
const WalletForm = lazy(() => import('./wallet-form.js'));

/** Where the money of an application goes. */
export default function ApplicationWallets({ application }: { application: PaymentApplication }): ReactNode {
  return <Wallets applicationId={application.id} />;
}

interface WalletsProps {
  /** Null: the default wallets. */
  applicationId: string | null;
}

/** Of the wallet that is to be replaced; the first one needs no more than an address. */
function kindOf(wallets: readonly Wallet[] | undefined, family: string): Wallet['kind'] {
  return wallets?.find((wallet) => wallet.family === family)?.kind ?? 'treasury';
}

export function Wallets({ applicationId }: WalletsProps): ReactNode {
  const { locale } = useTexts();
  const [asked, setAsked] = useState(() => findWalletDraft(applicationId)?.family ?? null);
  const operations = walletOperations(applicationId);
  const wallets = useRead(operations.list, { path: walletPath(applicationId) });
  const blockchains = useRead('listBlockchains', {});
  return (
    <>
      <p>
        <T k="wallets.text" />
      </p>
      {applicationId !== null && <GoesTo applicationId={applicationId} />}
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
                        <T k={applicationId === null ? 'wallets.defaults-none' : 'wallets.none'} />
                      </p>
                    )}
                    {data.map((wallet) => (
                      <WalletCard
                        key={wallet.family}
                        applicationId={applicationId}
                        wallet={wallet}
                        name={nameOf(wallet.family)}
                        onReplace={() => setAsked(wallet.family)}
                      />
                    ))}
                  </>
                )}
              </Loaded>
              {applicationId !== null && (
                <p>
                  <Link to={`/funds?application=${applicationId}`}>
                    <T k="wallets.funds" />
                  </Link>
                </p>
              )}
              {asked === null ? (
                <Allowed to={operations.put} isExplained>
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
                    applicationId={applicationId}
                    blockchains={chains}
                    families={families.map(({ family }) => [family, nameOf(family)] as const)}
                    kind={kindOf(wallets.data?.data, asked)}
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
