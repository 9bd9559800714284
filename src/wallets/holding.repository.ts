import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository } from 'typeorm';
import { HoldingEntity } from './holding.entity.js';

/** Sums of received funds by application and asset, which triggers of payment_transfers write. */
@Injectable()
export class HoldingRepository {
  constructor(@InjectRepository(HoldingEntity) private readonly holdings: Repository<HoldingEntity>) {}

  /** The assets of which the application has received anything. */
  listOf(applicationId: string): Promise<HoldingEntity[]> {
    return this.holdings.find({
      where: [
        { applicationId, confirmed: MoreThan(0n) },
        { applicationId, pending: MoreThan(0n) },
      ],
      order: { chain: 'ASC', currencyCode: 'ASC', asset: 'ASC', assetDecimals: 'ASC' },
    });
  }
}
