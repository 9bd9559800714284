import { Injectable } from '@nestjs/common';
import type { ExportSource } from '../../platform/web/http/exports.service.js';
import { toIsoSeconds, toIsoSecondsOrNull } from '../../platform/kernel/clock.pure.js';
import { DeliveryExportRow, type ExportDeliveriesQuery } from './delivery-export.contract.js';
import { DeliveryExportRepository, type ExportedDelivery } from './delivery-export.repository.js';

/** The export of deliveries (specification/exports.md#deliveries). */
@Injectable()
export class DeliveryExports {
  constructor(private readonly deliveries: DeliveryExportRepository) {}

  ofDeliveries(userId: string, query: ExportDeliveriesQuery): ExportSource<ExportedDelivery> {
    const filter = {
      userId,
      applicationId: query.paymentApplicationId ?? null,
      paymentId: query.paymentId ?? null,
      event: query.event ?? null,
      status: query.status ?? null,
      from: query.from ?? null,
    };
    return {
      name: 'webhook-deliveries',
      format: query.format,
      until: query.to ?? null,
      row: DeliveryExportRow,
      read: (after, limit) => this.deliveries.listAfter(filter, after, limit),
      placeOf: ({ createdAt, id }) => ({ at: createdAt, id }),
      show: deliveryRow,
    };
  }
}

function deliveryRow({ applicationId, ...delivery }: ExportedDelivery): DeliveryExportRow {
  return {
    ...delivery,
    createdAt: toIsoSeconds(delivery.createdAt),
    paymentApplicationId: applicationId,
    attempt: String(delivery.attempt),
    httpStatus: delivery.httpStatus?.toString() ?? null,
    durationMs: delivery.durationMs?.toString() ?? null,
    succeededAt: toIsoSecondsOrNull(delivery.succeededAt),
    nextAttemptAt: toIsoSecondsOrNull(delivery.nextAttemptAt),
  };
}
