import type { PaymentStatus } from '../api/operations.js';

/** The filters of the list; they are the query of its address, so that they can be kept and sent. */
export interface PaymentFilters {
  status: PaymentStatus[];
  search: string;
  paymentApplicationId: string;
  unmatchedFunds: boolean;
  page: number;
}

export const STATUSES: readonly PaymentStatus[] = [
  'OPEN',
  'FOUND',
  'UNDERPAID',
  'RECEIVED',
  'CONFIRMED',
  'CANCELLED',
  'ERROR',
  'REFUND',
];
/** Of the API. */
const MAX_SEARCH = 255;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What an address asks for; what it cannot mean is left out. */
export function readFilters(query: URLSearchParams): PaymentFilters {
  const asked = (query.get('status') ?? '').split(',');
  const application = query.get('application') ?? '';
  const page = query.get('page') ?? '';
  return {
    status: STATUSES.filter((status) => asked.includes(status)),
    search: (query.get('search') ?? '').trim().slice(0, MAX_SEARCH),
    paymentApplicationId: UUID.test(application) ? application : '',
    unmatchedFunds: query.get('unmatched') === 'true',
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

/** The address of filters, without those that are not set. */
export function writeFilters(filters: PaymentFilters): URLSearchParams {
  const query = new URLSearchParams();
  if (filters.status.length > 0) query.set('status', filters.status.join(','));
  if (filters.search !== '') query.set('search', filters.search);
  if (filters.paymentApplicationId !== '') query.set('application', filters.paymentApplicationId);
  if (filters.unmatchedFunds) query.set('unmatched', 'true');
  if (filters.page > 1) query.set('page', String(filters.page));
  return query;
}

/** Whether anything is filtered: then an empty list does not mean that there is nothing. */
export function isFiltered({
  status,
  search,
  paymentApplicationId,
  unmatchedFunds,
}: PaymentFilters): boolean {
  return status.length > 0 || search !== '' || paymentApplicationId !== '' || unmatchedFunds;
}
