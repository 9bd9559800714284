import type { MethodName } from '../method-choice.pure.js';
import type { WantedReport } from '../transaction-report.pure.js';
import { INCOMPLETE, type PickerQuery } from './method-picker.pure.js';

/** The query of the page's URL: the two parameters of the signed link, the customer's selection and language. */
export interface PageQuery extends PickerQuery {
  expires: string;
  signature: string;
  /** The form for a transaction that is not shown: any value opens it; null: it is folded. */
  paid: string | null;
  /** The language that the URL asks for, unchecked; null: none. */
  lang: string | null;
  /** What a browser without cookies has to show that it saw the payment, unchecked; null: nothing. */
  seen: string | null;
  /** The method whose instructions an open page shows, as `ethereum/usdc`, unchecked; null: none. */
  shown: MethodName | null;
}

/** Repeated and unknown parameters are ignored. */
export function readQuery(query: Record<string, unknown>): PageQuery {
  const text = (name: string) => {
    const value = query[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const [provider = null, method = null] = text('shown')?.split('/') ?? [];
  return {
    expires: text('expires') ?? '',
    signature: text('signature') ?? '',
    wanted: { provider: text('provider'), method: text('method') },
    choose: text('choose'),
    paid: text('paid'),
    lang: text('lang'),
    seen: text('seen'),
    shown: provider === null || method === null ? null : { provider, method },
  };
}

/** The same page with another selection; a relative URL, so that it works behind any proxy. */
export function pageLink(
  { expires, signature, lang, seen }: Pick<PageQuery, 'expires' | 'signature' | 'lang' | 'seen'>,
  parameters: Record<string, string>,
): string {
  const kept = { ...(lang !== null && { lang }), ...(seen !== null && { seen }) };
  return `?${new URLSearchParams({ expires, signature, ...kept, ...parameters }).toString()}`;
}

/** The fields of the form that chooses a method; null for what is not a name. */
export function readChoice(body: unknown): MethodName {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const name = (field: string) => {
    const value = fields[field];
    return typeof value === 'string' && NAME.test(value) ? value : null;
  };
  return { provider: name('provider'), method: name('method') };
}

/** The fields of the form that reports a transaction. An empty network is none; what is no text is read as nothing. */
export function readReportForm(body: unknown): WantedReport {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const { txHash, provider } = fields;
  return {
    txHash: typeof txHash === 'string' && txHash.length <= MAX_REPORT ? txHash : '',
    provider: typeof provider === 'string' && provider !== '' ? provider : null,
  };
}

/** Longer than a link to a block explorer. */
const MAX_REPORT = 500;

/** Longer than every slug and code. */
const NAME = /^[a-z0-9-]{1,40}$/i;

/** The page that says why a method could not be chosen, or that asks for what the form did not name. */
export function pageOfChoice(page: PageQuery, { provider, method }: MethodName): string {
  if (method === null) return pageLink(page, { choose: INCOMPLETE });
  return pageLink(page, provider === null ? { method } : { provider, method });
}
