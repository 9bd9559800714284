import type { GatewayError } from '../../platform/errors/errors.pure.js';
import type { MethodName } from '../method-choice.pure.js';

/** The query of the page's URL: the two parameters of the signed link, the customer's selection and language. */
export interface PageQuery {
  expires: string;
  signature: string;
  wanted: MethodName;
  /** Show the list of methods although one is selected. */
  isChoosing: boolean;
  /** The language that the URL asks for, unchecked; null: none. */
  lang: string | null;
}

/** Repeated and unknown parameters are ignored. */
export function readQuery(query: Record<string, unknown>): PageQuery {
  const text = (name: string) => {
    const value = query[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return {
    expires: text('expires') ?? '',
    signature: text('signature') ?? '',
    wanted: { provider: text('provider'), method: text('method') },
    isChoosing: text('choose') !== null,
    lang: text('lang'),
  };
}

/** The same page with another selection; a relative URL, so that it works behind any proxy. */
export function pageLink(
  { expires, signature, lang }: Pick<PageQuery, 'expires' | 'signature' | 'lang'>,
  parameters: Record<string, string>,
): string {
  return `?${new URLSearchParams({ expires, signature, ...(lang !== null && { lang }), ...parameters }).toString()}`;
}

/**
 * The method whose instructions the page shows; null: the list of methods. Once funds were seen, the payment's selected
 * method is shown, whatever the URL says.
 */
export function wantedMethod(
  payment: { status: string; selectedProvider: string | null },
  { wanted, isChoosing }: PageQuery,
  methodCount: number,
): MethodName | null {
  const anything = { provider: null, method: null };
  if (payment.status === 'FOUND' || payment.status === 'UNDERPAID') return anything;
  if (payment.status !== 'OPEN') return null;
  if (methodCount === 1) return wanted;
  if (isChoosing) return null;
  if (wanted.provider !== null || wanted.method !== null) return wanted;
  return payment.selectedProvider === null ? null : anything;
}

/** Why there are no instructions, for the customer; null if the customer only has to choose a method. */
export function describeProblem({ code, message }: Pick<GatewayError, 'code' | 'message'>): string | null {
  switch (code) {
    case 'method_selection_required':
      return null;
    case 'payment_method_not_found':
      return 'This way to pay does not exist. Please choose another one.';
    case 'payment_not_payable':
      return 'This payment can no longer be paid.';
    default:
      return `${message.replace(/\.$/, '')}. Please choose another way to pay, or try again in a minute.`;
  }
}
