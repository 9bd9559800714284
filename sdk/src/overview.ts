import type { AttentionCount, Change, Operations, TimelineEntry } from './api-types.js';
import { type ChangesOptions, followChanges } from './changes.js';
import { CursorList, queryOf } from './cursor-list.js';
import { type CallOptions, type Http, segment } from './http.js';

/** Operations with rows and a cursor. */
type Listed = 'listPaymentOverview' | 'listAttention' | 'listAllRefunds' | 'listAllWebhookDeliveries';
type RowOf<K extends Listed> = Operations[K]['response']['data'][number];

/** Times may be dates as well; the cursor is the list's own. */
type Filter<Query> = {
  [Name in keyof Query as Exclude<Name, 'after'>]: Query[Name] | (Name extends TimeName ? Date : never);
};
type TimeName = 'from' | 'to' | 'dateFrom' | 'dateTo';
export type OverviewFilter = Filter<Operations['listPaymentOverview']['query']>;
export type AttentionFilter = Filter<Operations['listAttention']['query']>;
export type RefundsFilter = Filter<Operations['listAllRefunds']['query']>;
export type DeliveriesFilter = Filter<Operations['listAllWebhookDeliveries']['query']>;
export type ReportQuery = Filter<Operations['reportReceived']['query']>;

/** What a dashboard shows over all applications. OAuth2 token only. */
export class Overview {
  constructor(private readonly http: Http) {}

  /** Payments with what each waits for, newest first. */
  payments(filter: OverviewFilter = {}, options: CallOptions = {}): CursorList<RowOf<'listPaymentOverview'>> {
    return new CursorList(this.http, '/api/payment-overview', filter, options);
  }

  /** What needs you, the worst first. */
  attention(filter: AttentionFilter = {}, options: CallOptions = {}): CursorList<RowOf<'listAttention'>> {
    return new CursorList(this.http, '/api/attention', filter, options);
  }

  /** How many of each kind need you. */
  attentionCounts(
    filter: Operations['countAttention']['query'] = {},
    options: CallOptions = {},
  ): Promise<AttentionCount[]> {
    return this.read('/api/attention/counts', filter, options);
  }

  /** Refunds of all payments, newest first. */
  refunds(filter: RefundsFilter = {}, options: CallOptions = {}): CursorList<RowOf<'listAllRefunds'>> {
    return new CursorList(this.http, '/api/refunds', filter, options);
  }

  /** Webhook deliveries of all applications, newest first. */
  deliveries(
    filter: DeliveriesFilter = {},
    options: CallOptions = {},
  ): CursorList<RowOf<'listAllWebhookDeliveries'>> {
    return new CursorList(this.http, '/api/webhook-deliveries', filter, options);
  }

  /** What happened to a payment, oldest first. */
  timeline(paymentId: string, options: CallOptions = {}): Promise<TimelineEntry[]> {
    return this.read(`/api/payment/${segment('paymentId', paymentId)}/timeline`, {}, options);
  }

  /** What was received. */
  received(
    query: ReportQuery,
    options: CallOptions = {},
  ): Promise<Operations['reportReceived']['response']['data']> {
    return this.read('/api/reports/received', query, options);
  }

  /** How long payments took. */
  times(
    query: ReportQuery,
    options: CallOptions = {},
  ): Promise<Operations['reportTimes']['response']['data']> {
    return this.read('/api/reports/times', query, options);
  }

  /** What became of payments. */
  rates(
    query: ReportQuery,
    options: CallOptions = {},
  ): Promise<Operations['reportRates']['response']['data']> {
    return this.read('/api/reports/rates', query, options);
  }

  /**
   * What changes from now on, until the signal aborts: ids only, which you read again. It reconnects by itself, and
   * misses nothing.
   */
  changes(options: ChangesOptions = {}): AsyncGenerator<Change, void, undefined> {
    return followChanges(this.http, options);
  }

  private async read<T>(path: string, query: object, { signal }: CallOptions): Promise<T> {
    const request = { method: 'GET' as const, path, query: queryOf(query), signal };
    return (await this.http.call<{ data: T }>(request)).data;
  }
}
