import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { contractAddressOf } from '../chains/contract-address.pure.js';
import type { TokenContract } from '../chains/token.contract.js';
import { tokenStandardOn } from '../chains/token-contracts.pure.js';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { presentAmount } from '../money/present-amount.js';
import { getCurrency } from '../money/currencies.js';
import type { HoldingContract } from './holding.contract.js';
import type { HoldingEntity } from './holding.entity.js';
import { HoldingRepository } from './holding.repository.js';

/**
 * The funds that the deposit addresses of an application have received and that no reorganization has removed, whether
 * a payment requested them or not. This is not a balance: the gateway does not follow what leaves the addresses.
 */
@Injectable()
export class HoldingsService {
  constructor(
    private readonly holdings: HoldingRepository,
    private readonly applications: ApplicationsService,
    private readonly chains: ChainsService,
  ) {}

  /** By blockchain and asset. @throws NotFoundError for a foreign application */
  async list(userId: string, applicationId: string): Promise<HoldingContract[]> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    return (await this.holdings.listOf(id)).map((holding) => this.present(holding));
  }

  private present(holding: HoldingEntity): HoldingContract {
    const {
      chain,
      currencyCode,
      assetDecimals: decimals,
      confirmed,
      pending,
      addresses,
      lastSeenAt,
    } = holding;
    const currency = { ...getCurrency(currencyCode), decimals };
    return {
      blockchain: chain,
      currencyCode,
      token: this.tokenOf(holding),
      addressCount: addresses,
      receivedAmount: presentAmount(confirmed, currency),
      pendingAmount: presentAmount(pending, currency),
      lastSeenAt: toIsoSeconds(lastSeenAt),
    };
  }

  /** Null for the native coin, and for a blockchain that the gateway is no longer configured for. */
  tokenOf({
    chain: slug,
    asset,
    assetDecimals: decimals,
  }: Pick<HoldingEntity, 'chain' | 'asset' | 'assetDecimals'>): TokenContract | null {
    const chain = this.chains.find(slug);
    const contractAddress = chain && contractAddressOf(chain.family, asset);
    return contractAddress ? { standard: tokenStandardOn(slug), contractAddress, decimals } : null;
  }
}
