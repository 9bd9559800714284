import { Injectable } from '@nestjs/common';
import type { CursorPage } from '../platform/web/http/cursor-page.js';
import { pageBackwards } from '../platform/web/http/cursor-query.js';
import { toIsoSeconds, toIsoSecondsOrNull } from '../platform/kernel/clock.pure.js';
import type { ListAllDeliveriesQuery } from './delivery-list.contract.js';
import { DeliveryListRepository } from './delivery-list.repository.js';
import type { DeliverySummaryContract } from './webhook-delivery.contract.js';

/** Deliveries over all applications of a user (specification/overview.md#deliveries). */
@Injectable()
export class DeliveryListService {
  constructor(private readonly deliveries: DeliveryListRepository) {}

  /** Newest first. */
  async list(userId: string, query: ListAllDeliveriesQuery): Promise<CursorPage<DeliverySummaryContract>> {
    const filter = {
      userId,
      applicationIds: query.paymentApplicationId ?? null,
      paymentId: query.paymentId ?? null,
      reference: query.reference ?? null,
      event: query.event ?? null,
      status: query.status ?? null,
      from: query.from ?? null,
      to: query.to ?? null,
    };
    const found = await this.deliveries.list(filter, query.after, query.limit + 1);
    const places = found.map((delivery) => ({ at: delivery.createdAt, id: delivery.id, delivery }));
    return pageBackwards(places, query, ({ delivery }) => ({
      ...delivery,
      nextAttemptAt: toIsoSecondsOrNull(delivery.nextAttemptAt),
      createdAt: toIsoSeconds(delivery.createdAt),
    }));
  }
}
