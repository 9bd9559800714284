import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { derivationOf } from '../checkout/payment-addresses.service.js';
import { getCurrency } from '../money/currencies.js';
import { presentAmount } from '../money/present-amount.js';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import type { CursorPage } from '../platform/web/http/cursor-page.js';
import { type CursorQuery, pageBackwards } from '../platform/web/http/cursor-query.js';
import { DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import { HoldingsService } from '../wallets/holdings.service.js';
import type { HoldingAddressContract } from './holding-address.contract.js';
import { ReceivedRepository } from './received.repository.js';

/** The received funds of an application by address, each with the place of its key. */
@Injectable()
export class HoldingAddressesService {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly received: ReceivedRepository,
    private readonly addresses: DepositAddressesService,
    private readonly holdings: HoldingsService,
  ) {}

  /** Newest first. @throws NotFoundError for a foreign application */
  async list(
    userId: string,
    applicationId: string,
    query: CursorQuery,
  ): Promise<CursorPage<HoldingAddressContract>> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const limit = query.limit + 1;
    const found = await this.received.listAddresses(
      { userId, applicationId: id, limit, chain: null, until: null },
      query.after,
    );
    const places = await this.addresses.locateKeys(found.map(({ depositAddressId }) => depositAddressId));
    const rows = found.map((holding) => ({ at: holding.seenAt, id: holding.id, holding }));
    return pageBackwards(rows, query, ({ holding }): HoldingAddressContract => {
      const {
        chain,
        currencyCode,
        assetDecimals: decimals,
        address,
        received,
        paymentId,
        reference,
      } = holding;
      const place = places.get(holding.depositAddressId);
      return {
        blockchain: chain,
        currencyCode,
        token: this.holdings.tokenOf(holding),
        address,
        derivation: place ? derivationOf(place) : null,
        receivedAmount: presentAmount(received, { ...getCurrency(currencyCode), decimals }),
        paymentId,
        reference,
        firstSeenAt: toIsoSeconds(holding.seenAt),
      };
    });
  }
}
