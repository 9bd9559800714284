import type { Operations, Pagination, PaymentListItem, PaymentStatus } from './api-types.js';
import type { CallOptions, Http } from './http.js';

type ListQuery = NonNullable<Operations['listPayments']['query']>;

/** Filters of the list, combined with AND. */
export interface PaymentFilter extends Omit<
  ListQuery,
  'page' | 'per_page' | 'perPage' | 'status' | 'dateFrom' | 'dateTo'
> {
  /** One of them. */
  status?: PaymentStatus | readonly PaymentStatus[];
  /** Inclusive; a string in ISO 8601 with zone. */
  dateFrom?: string | Date;
  /** Inclusive; a string in ISO 8601 with zone. */
  dateTo?: string | Date;
  /** Items per page, 1 to 100; default 100. */
  perPage?: number;
}

export interface PaymentPage {
  items: PaymentListItem[];
  pagination: Pagination;
}

const PER_PAGE = 100;

/** The query of a {@link PaymentList}, without the page. */
export interface PaymentSource {
  path: string;
  query: Record<string, string | boolean | undefined>;
  perPage?: number | undefined;
}

/** The payments of a filter: `for await (const payment of list)`, or page by page. */
export class PaymentList implements AsyncIterable<PaymentListItem> {
  constructor(
    private readonly http: Http,
    private readonly source: PaymentSource,
    private readonly options: CallOptions,
  ) {}

  /** One page, counted from 1; empty past the end. */
  async page(page = 1): Promise<PaymentPage> {
    const { path, query, perPage = PER_PAGE } = this.source;
    const { data, meta } = await this.http.call<Operations['listPayments']['response']>({
      method: 'GET',
      path,
      query: { ...query, page, per_page: perPage },
      signal: this.options.signal,
    });
    return { items: data, pagination: meta.pagination };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<PaymentListItem, void, undefined> {
    // A payment that is created meanwhile moves others to the next page; they are returned once.
    const seen = new Set<string>();
    for (let number = 1; ; number++) {
      const { items, pagination } = await this.page(number);
      for (const item of items) {
        if (seen.has(item.id)) continue;
        seen.add(item.id);
        yield item;
      }
      if (number >= pagination.total_pages) return;
    }
  }
}

/** The filter as query parameters of `GET /api/payment`. */
export function sourceOf(filter: PaymentFilter): PaymentSource {
  const { status, dateFrom, dateTo, perPage, ...rest } = filter;
  return {
    path: '/api/payment',
    query: {
      ...rest,
      ...(status !== undefined && { status: typeof status === 'string' ? status : status.join(',') }),
      ...(dateFrom !== undefined && { dateFrom: instant(dateFrom) }),
      ...(dateTo !== undefined && { dateTo: instant(dateTo) }),
    },
    perPage,
  };
}

function instant(time: string | Date): string {
  return typeof time === 'string' ? time : time.toISOString();
}
