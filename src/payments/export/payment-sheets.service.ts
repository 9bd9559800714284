import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../../applications/applications.service.js';
import { ChainsService } from '../../chains/chains.service.js';
import { getCurrency } from '../../money/currencies.js';
import { formatDecimal } from '../../money/money.js';
import type { Sheet, SheetRow } from '../../platform/kernel/sheet.pure.js';
import { type AddressPlace, DepositAddressesService } from '../../wallets/deposit-addresses.service.js';
import { PaymentPresenter } from '../payment-presenter.service.js';
import type { ExportedPayment } from '../payment-list.repository.js';
import { TRANSACTION_STATUS } from '../transfers/transfer-state.pure.js';
import { creditedBy } from '../quotes/parts.pure.js';
import { type ExportedTransfer, TransferExportRepository } from './transfer-export.repository.js';

/** Where money came from and went, of every file for people that has money. */
const MOVEMENT = {
  'sheet.network': 'text',
  'sheet.coin': 'text',
  'sheet.coin-amount': 'amount',
  'sheet.rate': 'amount',
  'sheet.address': 'id',
  'sheet.path': 'text',
  'sheet.transaction': 'hash',
  'sheet.explorer': 'hash',
  'sheet.payment': 'id',
} as const;
const ORDER = { 'sheet.shop': 'text', 'sheet.reference': 'text', 'sheet.label': 'text' } as const;

export const TRANSFER_SHEET = {
  name: 'transfers',
  columns: {
    'sheet.paid-at': 'instant',
    ...ORDER,
    'sheet.status': 'text',
    'sheet.currency': 'text',
    'sheet.value': 'amount',
    ...MOVEMENT,
  },
  sums: [
    { by: ['sheet.currency'], of: ['sheet.value'] },
    { by: ['sheet.coin'], of: ['sheet.coin-amount'] },
  ],
} as const satisfies Sheet;
export type TransferSheetRow = SheetRow<typeof TRANSFER_SHEET.columns>;

export const PAYMENT_SHEET = {
  name: 'payments',
  columns: {
    'sheet.paid-at': 'instant',
    'sheet.created-at': 'instant',
    ...ORDER,
    'sheet.status': 'text',
    'sheet.currency': 'text',
    'sheet.amount': 'amount',
    'sheet.received': 'amount',
    'sheet.overpaid': 'amount',
    'sheet.missing': 'amount',
    'sheet.refunded': 'amount',
    ...MOVEMENT,
  },
  sums: [
    {
      by: ['sheet.currency'],
      of: ['sheet.amount', 'sheet.received', 'sheet.overpaid', 'sheet.missing', 'sheet.refunded'],
    },
    { by: ['sheet.coin'], of: ['sheet.coin-amount'] },
  ],
} as const satisfies Sheet;
export type PaymentSheetRow = SheetRow<typeof PAYMENT_SHEET.columns>;

/** Payments and transfers as people read them (specification/exports.md#files-for-people). */
@Injectable()
export class PaymentSheets {
  constructor(
    private readonly transfers: TransferExportRepository,
    private readonly applications: ApplicationsService,
    private readonly addresses: DepositAddressesService,
    private readonly presenter: PaymentPresenter,
    private readonly chains: ChainsService,
  ) {}

  /** Names of shops, read once for a file. */
  shopsOf(userId: string): () => Promise<Map<string, string>> {
    let names: Promise<Map<string, string>> | null = null;
    return () => (names ??= this.applications.namesOf(userId));
  }

  /** As a network calls itself; its slug where it is no longer configured. */
  networkName(slug: string): string {
    return this.chains.find(slug)?.name ?? slug;
  }

  async showTransfers(
    transfers: readonly ExportedTransfer[],
    shops: ReadonlyMap<string, string>,
  ): Promise<TransferSheetRow[]> {
    const places = await this.placesOf(transfers);
    return transfers.map((transfer) => ({
      'sheet.paid-at': transfer.seenAt,
      'sheet.shop': shops.get(transfer.applicationId) ?? null,
      'sheet.reference': transfer.reference,
      'sheet.label': transfer.referenceLabel,
      'sheet.status': TRANSACTION_STATUS[transfer.state],
      'sheet.currency': transfer.pricingCode,
      'sheet.value': formatDecimal(creditedBy(transfer), getCurrency(transfer.pricingCode).decimals),
      ...this.movementOf(transfer, places.get(transfer.depositAddressId)),
    }));
  }

  /**
   * With what counts of each. Where that came by several transfers, the cells of what differs name each once, and the
   * file of transfers has them all.
   */
  async showPayments(
    payments: readonly ExportedPayment[],
    shops: ReadonlyMap<string, string>,
  ): Promise<PaymentSheetRow[]> {
    const transfers = await this.transfers.listReceivedOf(payments.map(({ id }) => id));
    const places = await this.placesOf(transfers);
    return payments.map((payment) => {
      const { decimals } = getCurrency(payment.currencyCode);
      const whole = (sum: bigint | null) => (sum === null ? null : formatDecimal(sum, decimals));
      const own = transfers.filter(({ paymentId }) => paymentId === payment.id);
      const moves = own.map((transfer) => this.movementOf(transfer, places.get(transfer.depositAddressId)));
      return {
        'sheet.paid-at': own[0]?.seenAt ?? null,
        'sheet.created-at': payment.createdAt,
        'sheet.shop': shops.get(payment.applicationId) ?? null,
        'sheet.reference': payment.reference,
        'sheet.label': payment.referenceLabel,
        'sheet.status': payment.status,
        'sheet.currency': payment.currencyCode,
        'sheet.amount': formatDecimal(payment.amount, decimals),
        'sheet.received': formatDecimal(payment.receivedAmount, decimals),
        'sheet.overpaid': whole(payment.overpaidAmount),
        'sheet.missing': whole(payment.underpaidAmount),
        'sheet.refunded': formatDecimal(payment.refundedAmount, decimals),
        'sheet.network': eachOnce(moves, 'sheet.network'),
        'sheet.coin': eachOnce(moves, 'sheet.coin'),
        'sheet.coin-amount': coinSum(own),
        'sheet.rate': onlyOne(moves, 'sheet.rate'),
        'sheet.address': eachOnce(moves, 'sheet.address'),
        'sheet.path': eachOnce(moves, 'sheet.path'),
        'sheet.transaction': eachOnce(moves, 'sheet.transaction'),
        'sheet.explorer': eachOnce(moves, 'sheet.explorer'),
        'sheet.payment': payment.id,
      };
    });
  }

  private async placesOf(transfers: readonly ExportedTransfer[]): Promise<Map<string, AddressPlace>> {
    const ids = [...new Set(transfers.map(({ paymentId }) => paymentId))];
    return new Map((await this.addresses.listPlaces(ids)).map((place) => [place.id, place]));
  }

  private movementOf(transfer: ExportedTransfer, place: AddressPlace | undefined) {
    return {
      'sheet.network': this.networkName(transfer.chain),
      'sheet.coin': transfer.currencyCode,
      'sheet.coin-amount': formatDecimal(transfer.amount, transfer.assetDecimals),
      'sheet.rate': transfer.rate,
      'sheet.address': place?.address ?? null,
      'sheet.path': place?.walletPath ?? null,
      'sheet.transaction': transfer.txHash,
      'sheet.explorer': this.presenter.explorerUrl(transfer),
      'sheet.payment': transfer.paymentId,
    };
  }
}

type Movement = ReturnType<PaymentSheets['movementOf']>;

function differing(moves: readonly Movement[], column: keyof Movement): string[] {
  return [...new Set(moves.map((move) => move[column]).filter((text) => text !== null))];
}

function eachOnce(moves: readonly Movement[], column: keyof Movement): string | null {
  return differing(moves, column).join(' ') || null;
}

/** Null where there are several: they cannot be added up. */
function onlyOne(moves: readonly Movement[], column: keyof Movement): string | null {
  const [first, ...others] = differing(moves, column);
  return others.length === 0 ? (first ?? null) : null;
}

/** What came in the coin; null if more than one came. */
function coinSum(transfers: readonly ExportedTransfer[]): string | null {
  const [first] = transfers;
  const isOne = transfers.every(
    ({ currencyCode, assetDecimals }) =>
      currencyCode === first?.currencyCode && assetDecimals === first.assetDecimals,
  );
  if (!first || !isOne) return null;
  return formatDecimal(
    transfers.reduce((sum, { amount }) => sum + amount, 0n),
    first.assetDecimals,
  );
}
