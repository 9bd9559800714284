import { isSecretName, redactText } from '../../platform/kernel/redaction.pure.js';
import { stringifyExact } from '../../platform/kernel/exact-json.pure.js';

/** Characters that are kept of each, so that nobody fills the log with long ones. */
export const MOST_CHARACTERS = { path: 512, idempotencyKey: 255, errorBody: 2_048, route: 255 } as const;

/** What stands at the end of a text that was cut. */
const CUT = '…';

/** The path with its query as it was sent, without values that are secret: by their name, or by their form. */
export function shownPath(url: string): string {
  const [path = '', ...rest] = url.split('?');
  if (rest.length === 0) return shortened(redactText(path), MOST_CHARACTERS.path);
  const pairs = rest.join('?').split('&').map(withoutSecret);
  return shortened(redactText(`${path}?${pairs.join('&')}`), MOST_CHARACTERS.path);
}

/** The body of an error as it was answered. */
export function shownBody(body: object | null): string | null {
  return body && shortened(redactText(stringifyExact(body)), MOST_CHARACTERS.errorBody);
}

export function shownKey(key: string | null): string | null {
  return key === null ? null : shortened(redactText(key), MOST_CHARACTERS.idempotencyKey);
}

function withoutSecret(pair: string): string {
  const [name = ''] = pair.split('=');
  return isSecretName(decoded(name)) ? `${name}=[redacted]` : pair;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray "%": the name is compared as it stands.
    return text;
  }
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - CUT.length)}${CUT}`;
}
