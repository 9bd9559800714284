import { count, flag, object, type Schemas, text } from '../../platform/contract/json-schema.js';
import { ERROR_SCHEMA } from '../errors.js';

export const commonSchemas: Schemas = {
  Cursor: object('Cursor', 'Where to go on reading a list that only grows at its end.', {
    next: text('Keep it, and send it as `after`. It never ends.'),
    hasMore: flag('There is more already.'),
  }),
  Pagination: object('Pagination', 'Where a page stands in its list.', {
    total: count('Items on all pages together.'),
    count: count('Items on this page.'),
    per_page: count('Items that fit on a page.', { minimum: 1 }),
    current_page: count('This page, counted from 1.', { minimum: 1 }),
    total_pages: count('At least 1, also when nothing was found.', { minimum: 1 }),
  }),
  Error: ERROR_SCHEMA,
};
