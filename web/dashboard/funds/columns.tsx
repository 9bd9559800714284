import type { ReactNode } from 'react';
import type { BlockchainDetails, Destination, Holding } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Figures } from '../parts/figures.js';
import parts from '../parts/parts.module.css';
import { When } from '../parts/when.js';
import { Fingerprint } from '../wallets/fingerprint.js';
import { OWNERS } from '../wallets/key-owners.js';
import styles from './funds.module.css';

export interface HoldingRow {
  holding: Holding;
  /** Undefined: the gateway is no longer configured for it. */
  network: BlockchainDetails | undefined;
  /** Undefined: it is not known. */
  destination: Destination | undefined;
}

interface HoldingColumn {
  key: MessageKey;
  is?: 'title' | 'figure';
  Cell: (row: HoldingRow) => ReactNode;
}

/** What is said of each holding. What is not known says so: it is never zero, and never empty. */
export const COLUMNS: readonly HoldingColumn[] = [
  { key: 'holdings.coin', is: 'title', Cell: Coin },
  { key: 'money.received', is: 'figure', Cell: Received },
  { key: 'transfer.pending', is: 'figure', Cell: Pending },
  { key: 'holdings.addresses', is: 'figure', Cell: Addresses },
  { key: 'holdings.collecting', Cell: Collecting },
  { key: 'holdings.last', Cell: LastSeen },
  { key: 'goes.title', Cell: Goes },
];

function Coin({ holding, network }: HoldingRow): ReactNode {
  const { text } = useTexts();
  const { currencyCode: coin, blockchain } = holding;
  return <bdi>{text('payments.coin-on', { coin, network: network?.name ?? blockchain })}</bdi>;
}

function Received({ holding }: HoldingRow): ReactNode {
  const { money, text } = useTexts();
  const { receivedAmount, worth, atReceipt } = holding;
  const credited = atReceipt?.credited.map((amount) => money(amount)).join(' + ') ?? '';
  return (
    <>
      <Figures>{money(receivedAmount)}</Figures>
      <div className={parts['hint']}>
        <Figures>{text('holdings.worth', { amount: worth ? money(worth) : text('chain.unknown') })}</Figures>
      </div>
      {credited !== '' && (
        <div className={parts['hint']}>
          <Figures>{text('holdings.at-receipt', { amount: credited })}</Figures>
        </div>
      )}
    </>
  );
}

/** What it costs to bring one address home, and how much is worth it. */
function Collecting({ holding }: HoldingRow): ReactNode {
  const { money, text, locale } = useTexts();
  const { collecting, addressCount } = holding;
  if (!collecting) return <T k="chain.unknown" />;
  const { costPerAddress, costPerAddressWorth, collectableFrom, collectableAddressCount, collectableAmount } =
    collecting;
  const count = (value: number) => new Intl.NumberFormat(`${locale}-u-nu-latn`).format(value);
  return (
    <>
      <Figures>
        {text('holdings.collect-from', {
          cost: money(costPerAddressWorth ?? costPerAddress),
          from: collectableFrom ? money(collectableFrom) : text('chain.unknown'),
        })}
      </Figures>
      {collectableAddressCount !== null && collectableAmount && (
        <div className={parts['hint']}>
          <Figures>
            {text('holdings.collect-pays', {
              count: count(collectableAddressCount),
              all: count(addressCount),
              amount: money(collectableAmount),
            })}
          </Figures>
        </div>
      )}
    </>
  );
}

function Pending({ holding }: HoldingRow): ReactNode {
  return <Figures>{useTexts().money(holding.pendingAmount)}</Figures>;
}

function Addresses({ holding }: HoldingRow): ReactNode {
  return new Intl.NumberFormat(`${useTexts().locale}-u-nu-latn`).format(holding.addressCount);
}

function LastSeen({ holding }: HoldingRow): ReactNode {
  return <When at={holding.lastSeenAt} />;
}

function Goes({ destination }: HoldingRow): ReactNode {
  if (!destination) return <T k="chain.unknown" />;
  const { owner, treasury, fingerprint, masterFingerprint, accountPath } = destination;
  return (
    <span className={styles['goes']} data-owner={owner ?? 'none'}>
      <T k={owner === null ? 'goes.none' : OWNERS[owner]} />
      <br />
      {treasury ? (
        <code dir="ltr">{treasury.address}</code>
      ) : (
        fingerprint !== null && <Fingerprint of={fingerprint} master={masterFingerprint} path={accountPath} />
      )}
    </span>
  );
}
