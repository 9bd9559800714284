import { currentRequest } from '../../kernel/request-context.js';
import { sha256 } from '../../kernel/hmac.pure.js';

/** SHA-256 of a token that a client presents. The limits and the guard of a request both need it: it is made once. */
export function hashOfPresented(token: string): Buffer {
  const current = currentRequest();
  if (current?.presented?.token === token) return current.presented.hash;
  const hash = sha256(token);
  if (current) current.presented = { token, hash };
  return hash;
}
