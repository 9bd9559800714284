import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { derivationOf } from '../checkout/payment-addresses.service.js';
import type { DerivationContract } from '../checkout/payment-instructions.contract.js';
import { formatDecimal } from '../money/money.js';
import { Clock, toIsoSeconds } from '../platform/kernel/clock.pure.js';
import type { Sheet, SheetRow } from '../platform/kernel/sheet.pure.js';
import { sheetFormOf } from '../platform/web/http/export-query.js';
import type { ExportSource } from '../platform/web/http/exports.service.js';
import { DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import { HoldingsService } from '../wallets/holdings.service.js';
import {
  type ExportHoldingAddressesQuery,
  HoldingAddressExportRow,
} from './holding-address-export.contract.js';
import { type AddressHolding, ReceivedRepository } from './received.repository.js';

interface Exported {
  holding: AddressHolding;
  /** Null: its key cannot be read, or it is not of it. */
  derivation: DerivationContract | null;
}

const SHEET = {
  name: 'addresses',
  columns: {
    'sheet.paid-at': 'instant',
    'sheet.reference': 'text',
    'sheet.network': 'text',
    'sheet.coin': 'text',
    'sheet.coin-amount': 'amount',
    'sheet.address': 'id',
    'sheet.path': 'text',
    'sheet.payment': 'id',
  },
  sums: [{ by: ['sheet.network', 'sheet.coin'], of: ['sheet.coin-amount'] }],
} as const satisfies Sheet;

/** The received funds of an application by address, as a file (specification/exports.md#addresses). */
@Injectable()
export class HoldingAddressExports {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly received: ReceivedRepository,
    private readonly addresses: DepositAddressesService,
    private readonly holdings: HoldingsService,
    private readonly chains: ChainsService,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFoundError for a foreign application, ValidationError */
  async of(
    userId: string,
    applicationId: string,
    query: ExportHoldingAddressesQuery,
  ): Promise<ExportSource<Exported>> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const until = this.clock.now();
    const of = { userId, applicationId: id, chain: query.blockchain ?? null, until };
    return {
      format: query.format,
      form: sheetFormOf(query),
      from: null,
      until,
      read: async (after, limit, order) =>
        this.located(await this.received.listAddresses({ ...of, limit }, after, order)),
      placeOf: ({ holding }) => ({ at: holding.seenAt, id: holding.id }),
      row: HoldingAddressExportRow,
      show: (one) => this.show(one),
      sheet: SHEET,
      showPeople: async (some) => some.map((one) => this.showPeople(one)),
    };
  }

  private async located(found: readonly AddressHolding[]): Promise<Exported[]> {
    const places = await this.addresses.locateKeys(found.map(({ depositAddressId }) => depositAddressId));
    return found.map((holding) => {
      const place = places.get(holding.depositAddressId);
      return { holding, derivation: place ? derivationOf(place) : null };
    });
  }

  private show({ holding, derivation }: Exported): HoldingAddressExportRow {
    const { treasury = null } = derivation ?? {};
    return {
      blockchain: holding.chain,
      address: holding.address,
      index: derivation?.index.toString() ?? null,
      namespace: treasury?.namespace ?? null,
      treasury: treasury?.address ?? null,
      factory: treasury?.factory ?? null,
      tokens: this.holdings.tokenOf(holding)?.contractAddress ?? null,
      path: derivation?.path ?? null,
      walletPath: derivation?.walletPath ?? null,
      keyFingerprint: derivation?.keyFingerprint ?? null,
      keyOwner: derivation?.keyOwner ?? null,
      currencyCode: holding.currencyCode,
      receivedAmount: formatDecimal(holding.received, holding.assetDecimals),
      receivedAmountAtomic: String(holding.received),
      paymentId: holding.paymentId,
      reference: holding.reference,
      firstSeenAt: toIsoSeconds(holding.seenAt),
    };
  }

  private showPeople({ holding, derivation }: Exported): SheetRow<typeof SHEET.columns> {
    return {
      'sheet.paid-at': holding.seenAt,
      'sheet.reference': holding.reference,
      'sheet.network': this.chains.find(holding.chain)?.name ?? holding.chain,
      'sheet.coin': holding.currencyCode,
      'sheet.coin-amount': formatDecimal(holding.received, holding.assetDecimals),
      'sheet.address': holding.address,
      // Of a treasury there is no path: the index is what its address is computed from.
      'sheet.path': derivation?.walletPath ?? derivation?.index.toString() ?? null,
      'sheet.payment': holding.paymentId,
    };
  }
}
