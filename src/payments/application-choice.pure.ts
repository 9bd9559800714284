import type { ApplicationView } from '../applications/application-view.pure.js';
import { idForm } from '../platform/http/id-forms.pure.js';

/** The field of a new payment that names its application. */
export type ApplicationField = 'clientId' | 'siteId';

/** Who asks, and what of their own the text may have meant. */
export interface Asking {
  /** Of a client token: the one application that it acts for. Otherwise the asker's own with this id or siteId. */
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

/** The owner's application is there, but deleted. */
export function deletedMessage(field: ApplicationField, { id }: ApplicationView): string {
  return `The selected ${field} is invalid. This payment application was deleted; restore it with POST /api/payment-applications/${id}/restore, or use another one.`;
}

/**
 * What is said of an application that is unknown, foreign, or not the client token's: the same for all three. It
 * depends on the form of the text and on the asker's own objects only, and never repeats the text.
 */
export function applicationMessage(field: ApplicationField, sent: string, asking: Asking): string {
  const seen = confusion(field, sent, asking);
  return [`The selected ${field} is invalid.`, ...(seen ? [seen] : []), rule(field, asking)].join(' ');
}

function rule(field: ApplicationField, { isClientToken, own }: Asking): string {
  if (!isClientToken || !own) return RULES[field];
  const value = field === 'clientId' ? own.clientId : own.site.id;
  return `A client token acts for its own payment application only, whose ${field} is ${value}.`;
}

/** What was sent instead, where that can be seen. */
function confusion(
  field: ApplicationField,
  sent: string,
  { own, isClientToken, oauthClientId }: Asking,
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
