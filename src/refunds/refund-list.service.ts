import { Injectable } from '@nestjs/common';
import type { CursorPage } from '../platform/web/http/cursor-page.js';
import { pageBackwards } from '../platform/web/http/cursor-query.js';
import type { RefundContract } from './refund.contract.js';
import type { ListRefundsQuery } from './refund-list.contract.js';
import { RefundPresenter } from './refund-presenter.service.js';
import { RefundRepository } from './refund.repository.js';

/** Refunds over all payments of a user (specification/overview.md#refunds). */
@Injectable()
export class RefundListService {
  constructor(
    private readonly refunds: RefundRepository,
    private readonly presenter: RefundPresenter,
  ) {}

  /** Newest first. */
  async list(userId: string, query: ListRefundsQuery): Promise<CursorPage<RefundContract>> {
    const { status: statuses = null, paymentApplicationId: applicationIds = null, after, limit } = query;
    const found = await this.refunds.listOwned({ userId, statuses, applicationIds }, after, limit + 1);
    const places = found.map((refund) => ({ at: refund.createdAt, id: refund.id, refund }));
    return pageBackwards(places, query, ({ refund }) => this.presenter.refund(refund));
  }
}
