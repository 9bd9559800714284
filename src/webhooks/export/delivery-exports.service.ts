import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/clock.pure.js';
import type { MessageKey } from '../../platform/kernel/i18n/texts.js';
import type { Sheet, SheetRow } from '../../platform/kernel/sheet.pure.js';
import { ApplicationsService } from '../../applications/applications.service.js';
import { checkSpan, sheetFormOf } from '../../platform/web/http/export-query.js';
import type { ExportSource } from '../../platform/web/http/exports.service.js';
import { toIsoSeconds, toIsoSecondsOrNull } from '../../platform/kernel/clock.pure.js';
import type { DeliveryStatus } from '../webhook-delivery.contract.js';
import { DeliveryExportRow, type ExportDeliveriesQuery } from './delivery-export.contract.js';
import { DeliveryExportRepository, type ExportedDelivery } from './delivery-export.repository.js';

const DELIVERY_SHEET = {
  name: 'webhook-deliveries',
  columns: {
    'sheet.created-at': 'instant',
    'sheet.shop': 'text',
    'sheet.event': 'text',
    'sheet.status': 'word',
    'sheet.attempts': 'count',
    'sheet.url': 'hash',
    'sheet.http-status': 'count',
    'sheet.error': 'text',
    'sheet.payment': 'id',
  },
  sums: [],
} as const satisfies Sheet;

const STATUS_WORDS: Record<DeliveryStatus, MessageKey> = {
  PENDING: 'sheet.delivery-waiting',
  SUCCEEDED: 'sheet.delivery-delivered',
  FAILED: 'sheet.delivery-failed',
  EXHAUSTED: 'sheet.delivery-given-up',
  BLOCKED: 'sheet.delivery-held-back',
  SKIPPED: 'sheet.delivery-not-sent',
  SUPERSEDED: 'sheet.delivery-outdated',
};

/** The export of deliveries (specification/exports.md#deliveries). */
@Injectable()
export class DeliveryExports {
  constructor(
    private readonly deliveries: DeliveryExportRepository,
    private readonly applications: ApplicationsService,
    private readonly clock: Clock,
  ) {}

  ofDeliveries(userId: string, query: ExportDeliveriesQuery): ExportSource<ExportedDelivery> {
    checkSpan(query.from, query.to, ['from', 'to']);
    const until = query.to ?? this.clock.now();
    let shops: Promise<Map<string, string>> | null = null;
    const filter = {
      userId,
      applicationId: query.paymentApplicationId ?? null,
      paymentId: query.paymentId ?? null,
      reference: query.reference ?? null,
      event: query.event ?? null,
      status: query.status ?? null,
      from: query.from ?? null,
      until,
    };
    return {
      format: query.format,
      form: sheetFormOf(query),
      from: filter.from,
      until,
      row: DeliveryExportRow,
      read: (after, limit, order) => this.deliveries.listAfter(filter, after, limit, order),
      placeOf: ({ createdAt, id }) => ({ at: createdAt, id }),
      show: deliveryRow,
      sheet: DELIVERY_SHEET,
      showPeople: async (deliveries) => {
        const names = await (shops ??= this.applications.namesOf(userId));
        return deliveries.map((delivery) => sheetRow(delivery, names));
      },
    };
  }
}

function sheetRow(
  { applicationId, attempt, httpStatus, ...delivery }: ExportedDelivery,
  shops: ReadonlyMap<string, string>,
): SheetRow<typeof DELIVERY_SHEET.columns> {
  return {
    'sheet.created-at': delivery.createdAt,
    'sheet.shop': shops.get(applicationId) ?? null,
    'sheet.event': delivery.event,
    'sheet.status': STATUS_WORDS[delivery.status],
    'sheet.attempts': String(attempt),
    'sheet.url': delivery.url,
    'sheet.http-status': httpStatus?.toString() ?? null,
    'sheet.error': delivery.errorMessage,
    'sheet.payment': delivery.paymentId,
  };
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
