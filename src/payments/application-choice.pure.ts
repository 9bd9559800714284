import type { ApplicationView } from '../applications/application-view.pure.js';
import { idForm } from '../platform/kernel/id-forms.pure.js';

/** The field of a new payment that names its application. */
export type ApplicationField = 'clientId' | 'siteId';

/** Who creates the payment, and which application of theirs may be meant. */
export interface Caller {
  /** Of a client token: the application that it acts for. Otherwise the user's application with this id or siteId. */
  own: ApplicationView | null;
  isClientToken: boolean;
  /** The OAuth client of the access token, where there is one. */
  oauthClientId: string | null;
}

const WHERE = 'as GET /api/payment-applications shows it';
const RULES: Record<ApplicationField, string> = {
  clientId: `It must be the clientId of one of your payment applications, 32 lower-case letters and digits, ${WHERE}.`,
  siteId: `It must be the site.id of one of your payment applications, a UUID, ${WHERE}.`,
};

/** The message for a deleted application of the caller. */
export function deletedMessage(field: ApplicationField, { id }: ApplicationView): string {
  return `The selected ${field} is invalid. This payment application was deleted; restore it with POST /api/payment-applications/${id}/restore, or use another one.`;
}

/**
 * The message for an application that is unknown, foreign, or not the client token's: the same for all three. It depends
 * only on the form of the text and on the caller's own objects, and never repeats the text.
 */
export function applicationMessage(field: ApplicationField, sent: string, caller: Caller): string {
  const seen = confusion(field, sent, caller);
  return [`The selected ${field} is invalid.`, ...(seen ? [seen] : []), rule(field, caller)].join(' ');
}

function rule(field: ApplicationField, { isClientToken, own }: Caller): string {
  if (!isClientToken || !own) return RULES[field];
  const value = field === 'clientId' ? own.clientId : own.site.id;
  return `A client token acts for its own payment application only, whose ${field} is ${value}.`;
}

/** What was probably sent instead; null: unknown. */
function confusion(
  field: ApplicationField,
  sent: string,
  { own, isClientToken, oauthClientId }: Caller,
): string | null {
  const text = sent.trim();
  const right = own && (field === 'clientId' ? own.clientId : own.site.id);
  // A client token's own value is in the rule already.
  const instead = isClientToken ? '' : `; its ${field} is ${right}`;
  if (own && text.toLowerCase() === own.id) return `This is the id of your payment application${instead}.`;
  if (own && field === 'clientId' && text.toLowerCase() === own.site.id)
    return `This is the siteId of your payment application${instead}.`;
  if (oauthClientId !== null && text === oauthClientId)
    return 'This is the client_id of your OAuth client, with which you get access tokens.';
  const form = idForm(text);
  if (form === null) return null;
  if (form === 'a UUID')
    return field === 'siteId'
      ? null
      : 'This looks like the id of a payment application or of a site, or another UUID.';
  return field === 'clientId' && form.includes('clientId') ? null : `This looks like ${form}.`;
}
