import { QueryInteger } from '../contract/fields.js';
import type { PaginationContract } from './pagination.contract.js';

/** Deeper pages are expensive for the database; clients use filters instead. */
const MAX_PAGE = 1_000_000;
const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 20;

/** The query parameters of every paged list (specification/conventions.md#pagination); lists with filters extend it. */
export class PageQuery {
  @QueryInteger({
    optional: true,
    min: 1,
    max: MAX_PAGE,
    default: 1,
    component: 'Page',
    about: 'The page, counted from 1. A page past the end is empty.',
  })
  page = 1;

  @QueryInteger({
    optional: true,
    min: 1,
    max: MAX_PER_PAGE,
    default: DEFAULT_PER_PAGE,
    component: 'PerPage',
    about: 'Items a page.',
  })
  per_page?: number;

  @QueryInteger({
    optional: true,
    min: 1,
    max: MAX_PER_PAGE,
    component: 'PerPageAlias',
    about: 'Alias of `per_page`, which wins when both are sent.',
  })
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
