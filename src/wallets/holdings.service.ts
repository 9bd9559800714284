import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { contractAddressOf } from '../chains/contract-address.pure.js';
import type { TokenContract } from '../chains/token.contract.js';
import { tokenStandardOn } from '../chains/token-contracts.pure.js';
import type { HoldingEntity } from './holding.entity.js';
import { HoldingRepository } from './holding.repository.js';

/** What the deposit addresses of an application have received of one asset. */
export type ReceivedAsset = Omit<HoldingEntity, 'applicationId'>;

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
  async list(userId: string, applicationId: string): Promise<ReceivedAsset[]> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    return this.holdings.listOf(id);
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
