import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { contractAddressOf } from '../chains/contract-address.pure.js';
import type { TokenContract } from '../chains/token.contract.js';
import { tokenStandardOn } from '../chains/token-contracts.pure.js';
import { toIsoSeconds } from '../platform/runtime/clock.pure.js';
import { Sql } from '../platform/database/sql.js';
import { toAmountDto } from '../money/amount-dto.js';
import { getCurrency } from '../money/currencies.js';
import type { HoldingContract } from './holding.contract.js';

// Kept by triggers on payment_transfers (migrations/0001-baseline/transfers.sql).
const LIST = `
  select chain, asset, currency_code, asset_decimals, confirmed, pending, addresses, last_seen_at
  from application_holdings where application_id = $1 and (confirmed > 0 or pending > 0)
  order by chain, currency_code, asset, asset_decimals`;

interface Row {
  chain: string;
  asset: string;
  currency_code: string;
  asset_decimals: number;
  confirmed: string;
  pending: string;
  addresses: string;
  last_seen_at: Date;
}

/**
 * The funds that the deposit addresses of an application have received and that no reorganization has removed, whether
 * a payment requested them or not. This is not a balance: the gateway does not follow what leaves the addresses.
 */
@Injectable()
export class HoldingsService {
  constructor(
    private readonly sql: Sql,
    private readonly applications: ApplicationsService,
    private readonly chains: ChainsService,
  ) {}

  /** By blockchain and asset. @throws NotFoundError for a foreign application */
  async list(userId: string, applicationId: string): Promise<HoldingContract[]> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    return (await this.sql.query<Row>(LIST, [id])).map((row) => this.present(row));
  }

  private present(row: Row): HoldingContract {
    // Decimals are the network's: USDT has 6 on most, and 18 on BNB Smart Chain.
    const currency = { ...getCurrency(row.currency_code), decimals: row.asset_decimals };
    return {
      blockchain: row.chain,
      currencyCode: row.currency_code,
      token: this.tokenOf(row),
      addressCount: Number(row.addresses),
      receivedAmount: toAmountDto(BigInt(row.confirmed), currency),
      pendingAmount: toAmountDto(BigInt(row.pending), currency),
      lastSeenAt: toIsoSeconds(row.last_seen_at),
    };
  }

  /** Null for the native coin, and for a blockchain that the gateway is no longer configured for. */
  private tokenOf({ chain: slug, asset, asset_decimals: decimals }: Row): TokenContract | null {
    const chain = this.chains.find(slug);
    const contractAddress = chain && contractAddressOf(chain.family, asset);
    return contractAddress ? { standard: tokenStandardOn(slug), contractAddress, decimals } : null;
  }
}
