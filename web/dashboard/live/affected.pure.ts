import type { Change } from '../../../sdk/src/api-types.js';

type Kind = Exclude<Change['type'], 'everything'>;

/** What the answer of a route depends on; the first line that fits counts. A route without a line never changes by itself. */
const DEPENDS: readonly (readonly [route: RegExp, kinds: readonly Kind[]])[] = [
  [/^GET \/api\/payment\/\{paymentId\}/, ['payment', 'refund', 'delivery']],
  [/^GET \/api\/(payment|payment-overview)(\/|$)/, ['payment', 'refund', 'delivery']],
  [/^GET \/api\/attention/, ['payment', 'refund', 'delivery', 'application', 'blockchain']],
  [/^GET \/api\/refunds/, ['refund']],
  [/\/webhook-deliveries/, ['delivery']],
  [/\/unacknowledged-payments/, ['payment', 'delivery']],
  [/\/webhook-endpoint/, ['application', 'delivery']],
  [/\/holdings/, ['payment']],
  [/^GET \/api\/reports/, ['payment', 'refund']],
  [/^GET \/api\/(payment-applications|sites|account\/wallets)/, ['application']],
  [/^GET \/api\/blockchains/, ['blockchain']],
];

/** What was asked for. */
export interface Asked {
  /** Method and path. */
  route: string;
  path?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
}

/** Whether the answer may be another one after a change. */
export function isAffected({ route, path, query }: Asked, change: Change): boolean {
  if (change.type === 'everything') return true;
  const { type } = change;
  const kinds = DEPENDS.find(([pattern]) => pattern.test(route))?.[1] ?? [];
  if (!kinds.includes(type)) return false;
  const paymentId = path?.['paymentId'] ?? query?.['paymentId'];
  const changed = type === 'payment' ? change.id : change.paymentId;
  if (typeof paymentId === 'string' && changed !== null && paymentId !== changed) return false;
  const applicationId = route.includes('/payment-applications/') ? path?.['id'] : undefined;
  return (
    applicationId === undefined || change.applicationId === null || applicationId === change.applicationId
  );
}
