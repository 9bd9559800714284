import { withoutSignatures } from '../../kernel/signed-link.pure.js';
import { currentRequest } from '../../kernel/request-context.js';

/** Whether the request comes from a viewer: somebody who acts in an account where they may change nothing. */
export function isViewer(): boolean {
  const principal = currentRequest()?.request.user;
  return principal?.kind === 'oauth' && principal.member?.role === 'viewer';
}

/**
 * A part of a response as the client of the current request may see it. Everything that is sent with a token passes here:
 * JSON (http.ts), streams (server-sent-events.ts) and files (exports.service.ts).
 */
export function shownToClient(text: string): string {
  return isViewer() ? withoutSignatures(text) : text;
}
