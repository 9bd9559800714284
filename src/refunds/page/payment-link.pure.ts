import { UUID } from '../../platform/kernel/ids.pure.js';

/** Of the link of the payment's page: what it needs, and nothing that chooses or reports anything. */
const KEPT = ['expires', 'signature', 'seen'] as const;

/**
 * The parameter `payment` of a refund's page, by which a customer who came from the page of the payment gets back there. It
 * is what that browser had already: the page of a refund names no payment to anybody else.
 * @param search of the payment's page
 */
export function paymentParameter(paymentId: string, search: string): string {
  return `${paymentId}?${kept(search).toString()}`;
}

/** The page of the payment, as seen from the refund's. @param parameter unchecked @returns null: there is none to lead to */
export function paymentLink(parameter: unknown, lang: string | null): string | null {
  if (typeof parameter !== 'string') return null;
  const [id = '', search = ''] = parameter.split('?');
  const query = kept(search);
  if (!UUID.test(id) || !query.has('signature')) return null;
  if (lang !== null) query.set('lang', lang);
  return `../checkout/${id}?${query.toString()}`;
}

function kept(search: string): URLSearchParams {
  const query = new URLSearchParams();
  const given = new URLSearchParams(search);
  for (const name of KEPT) {
    const value = given.get(name);
    if (value !== null) query.set(name, value);
  }
  return query;
}
