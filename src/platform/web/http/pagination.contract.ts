import { Contract } from '../contract/contract.js';
import { Count, Flag, Text } from '../contract/fields.js';

/** `meta.pagination` (specification/conventions.md#pagination). */
@Contract('Pagination', 'The position of a page in its list.')
export class PaginationContract {
  @Count({ about: 'Items on all pages together.', example: 1 })
  total: number;

  @Count({ about: 'Items on this page.', example: 1 })
  count: number;

  @Count({ min: 1, about: 'Items that fit on a page.', example: 20 })
  per_page: number;

  @Count({ min: 1, about: 'This page, counted from 1.', example: 1 })
  current_page: number;

  @Count({ min: 1, about: 'At least 1, also when nothing was found.', example: 1 })
  total_pages: number;
}

/** 40 bytes, as most cursors have. */
const EXAMPLE_CURSOR = 'pRk3vC0mWq8xT5yB1nZ7uE9aL2dJ6fHsG4oXcVbQiKtYwNrMzSgPhD';

/** `meta.cursor` (specification/conventions.md#pagination). */
@Contract('Cursor', 'The position to continue a list from.')
export class CursorContract {
  @Text({ about: 'Keep it, and send it as `after`. It does not expire.', example: EXAMPLE_CURSOR })
  next: string;

  @Flag({ about: 'There is more.' })
  hasMore: boolean;
}
