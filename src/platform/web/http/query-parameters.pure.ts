import { eitherOf, similarNames } from '../../kernel/errors/similar-names.pure.js';

/** Names that other APIs use for the parameters of a list; the first one that the route has is suggested. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  'page[size]': ['per_page', 'limit'],
  'page[limit]': ['per_page', 'limit'],
  'page[number]': ['page'],
  'page[after]': ['after'],
  limit: ['per_page'],
  size: ['per_page', 'limit'],
  pagesize: ['per_page', 'limit'],
  page_size: ['per_page', 'limit'],
  per_page: ['limit'],
  count: ['per_page', 'limit'],
  first: ['per_page', 'limit'],
  offset: ['page', 'after'],
  skip: ['page', 'after'],
  cursor: ['after', 'page'],
  starting_after: ['after', 'page'],
  since: ['after', 'dateFrom'],
  application_id: ['paymentApplicationId'],
  applicationid: ['paymentApplicationId'],
  applicationId: ['paymentApplicationId'],
  clientId: ['paymentApplicationId'],
  siteId: ['paymentApplicationId'],
  order: ['sort'],
  orderBy: ['sort'],
  order_by: ['sort'],
  q: ['search'],
  query: ['search'],
  from: ['dateFrom'],
  to: ['dateTo'],
  until: ['dateTo'],
  createdAfter: ['dateFrom'],
  createdBefore: ['dateTo'],
  state: ['status'],
  currency: ['currencyCode'],
  deleted: ['trashed'],
  kind: ['type'],
};

/** Words as in names. Any other text is not repeated, since it may be a secret that was sent as a name. */
const REPEATABLE = /^[A-Za-z][A-Za-z_.-]{0,31}(?:\[[A-Za-z_]{0,16}\])?\d{0,2}$/;

/** The known parameters that a name most likely means. */
export function meantParameters(name: string, known: readonly string[]): string[] {
  const others = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : [];
  const other = others?.find((parameter) => known.includes(parameter));
  return other === undefined ? similarNames(name, known) : [other];
}

/** Whether other APIs use this name, also with brackets, for something that has another name here. */
export function isOtherName(name: string, known: readonly string[]): boolean {
  return !known.includes(name) && Object.hasOwn(OTHER_NAMES, name) && meantParameters(name, known).length > 0;
}

/** The key in `errors`. */
export function parameterKey(name: string): string {
  return REPEATABLE.test(name) ? name : 'query';
}

/**
 * The message for a parameter that a list does not know. Ignoring it could silently drop a filter.
 * @param known the parameters of the route
 */
export function unknownParameterMessage(name: string, known: readonly string[]): string {
  const subject = REPEATABLE.test(name) ? `The ${name} parameter` : 'A parameter of the query';
  const meant = meantParameters(name, known);
  const question = meant.length > 0 ? ` Did you mean ${eitherOf(meant)}?` : '';
  const list = known.length > 0 ? `Known are ${known.join(', ')}.` : 'It takes none.';
  return `${subject} is not known by this list.${question} ${list}`;
}
