import type { Operations } from '../api/operations.js';
import { endOfDay, startOfDay } from '../parts/day.pure.js';

type Filters = NonNullable<Operations['listAllWebhookDeliveries']['query']>;

const PAGE = 50;

/** The question to the API that the address of the screen stands for. */
export function deliveryFilters(query: URLSearchParams): Filters {
  const application = query.get('application');
  const status = query.get('status') as Filters['status'] | '' | null;
  const reference = query.get('reference');
  const after = query.get('after');
  const from = startOfDay(query.get('from'));
  const to = endOfDay(query.get('to'));
  return {
    limit: PAGE,
    ...(application && { paymentApplicationId: [application] }),
    ...(reference && { reference }),
    ...(status && { status }),
    ...(from && { from: from.toISOString() }),
    ...(to && { to: to.toISOString() }),
    ...(after && { after }),
  };
}

/** The same for a file, which takes one application and has no pages. */
export function deliveryExport(query: URLSearchParams): Operations['exportWebhookDeliveries']['query'] {
  const { limit: _limit, after: _after, paymentApplicationId, ...filters } = deliveryFilters(query);
  const [application] = paymentApplicationId ?? [];
  return { ...filters, ...(application !== undefined && { paymentApplicationId: application }) };
}
