import { bearer, type Mistake } from './mistake.js';
import type { MistakesHarness } from './mistakes-harness.js';

/** A list of payments, filtered in a way that was not meant. */
function filtered(title: string, query: string | ((harness: MistakesHarness) => string)): Mistake {
  return {
    title,
    request: (harness) => ({
      method: 'GET',
      path: `/api/payment?${typeof query === 'string' ? query : query(harness)}`,
      headers: bearer(harness.owner.accessToken),
    }),
  };
}

export const LISTS: Mistake[] = [
  filtered('a filter that does not exist', 'state=OPEN'),
  filtered('the page size under another name', 'limit=50'),
  filtered('the page by offset', 'offset=20'),
  filtered('a filter in snake case', 'date_from=2026-01-01T00:00:00Z'),
  filtered('a status in lower case', 'status=open'),
  filtered('a filter by a currency in lower case', 'currencyCode=usd'),
  filtered('a status that does not exist', 'status=PAID'),
  filtered('the statuses as an array', 'status[]=OPEN&status[]=FOUND'),
  filtered('page 0', 'page=0'),
  filtered('a thousand a page', 'per_page=1000'),
  filtered('an order by a field that does not exist', 'sort=createdAt'),
  filtered('an order with its direction behind a colon', 'sort=date:desc'),
  filtered('a date without a time', 'dateFrom=2026-01-15'),
  filtered('a date as people write it', 'dateFrom=15.01.2026'),
  filtered('a time zone whose plus sign became a space', 'dateFrom=2026-01-15T10:00:00+01:00'),
  filtered(
    'the clientId where the application id belongs',
    ({ application }) => `paymentApplicationId=${application.clientId}`,
  ),
  filtered('the same filter twice', 'status=OPEN&status=FOUND'),
];
