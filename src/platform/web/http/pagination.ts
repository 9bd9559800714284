import { QueryInteger } from '../contract/fields.js';
import type { PaginationContract } from './pagination.contract.js';

/** Deeper pages are expensive for the database; clients use filters instead. */
const MAX_PAGE = 1_000_000;
const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 20;

/**
 * The query parameters of every paged list (specification/conventions.md#pagination); lists with filters extend it. No
 * `default` in the document: some clients send those, and a list that comes whole would then be one page.
 */
export class PageQuery {
  @QueryInteger({
    optional: true,
    min: 1,
    max: MAX_PAGE,
    component: 'Page',
    about: 'The page, counted from 1, which it is unless set. A page past the end is empty.',
  })
  page = 1;

  @QueryInteger({
    optional: true,
    min: 1,
    max: MAX_PER_PAGE,
    component: 'PerPage',
    about: `Items a page; ${DEFAULT_PER_PAGE}, unless set.`,
  })
  per_page?: number;

  /** `per_page` wins when both are sent. */
  @QueryInteger({ optional: true, min: 1, max: MAX_PER_PAGE, isAlias: true })
  perPage?: number;

  /** Items per page: SQL's LIMIT. */
  get limit(): number {
    return this.per_page ?? this.perPage ?? DEFAULT_PER_PAGE;
  }

  /** Items before this page: SQL's OFFSET. */
  get offset(): number {
    return (this.page - 1) * this.limit;
  }
}

/** What a list handler returns; the envelope prints it as `{data, meta: {pagination}}`. */
export class Page<T> {
  constructor(
    readonly items: T[],
    readonly pagination: PaginationContract,
  ) {}

  /** @param total items on all pages together */
  static of<T>(items: T[], total: number, query: PageQuery): Page<T> {
    return new Page(items, {
      total,
      count: items.length,
      per_page: query.limit,
      current_page: query.page,
      total_pages: Math.max(1, Math.ceil(total / query.limit)),
    });
  }
}
