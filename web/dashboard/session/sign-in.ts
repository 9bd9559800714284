import { newPkce, randomText } from './pkce.js';
import { safeReturnPath } from './return-path.pure.js';
import type { Session } from './session.js';

/** What the page has to remember while the browser is at the authorization server. */
interface Begun {
  state: string;
  verifier: string;
  returnPath: string;
}

const STORED = 'dashboard.sign-in';
export const CALLBACK = '/dashboard/callback';

/** What changes of wallets and of credentials take: a sign-in that is new, with the second factor of who has one. */
const STEP_UP = { scope: 'openid * wallets:write', max_age: '300', acr_values: 'mfa' };

/**
 * Leaves for the pages of the authorization server.
 * @param isStepUp asks for what {@link STEP_UP} says (specification/authentication.md#recent-sign-in)
 */
export async function startSignIn(returnPath: string, locale: string, isStepUp = false): Promise<void> {
  const { verifier, challenge } = await newPkce();
  const begun: Begun = { state: randomText(), verifier, returnPath: safeReturnPath(returnPath) };
  sessionStorage.setItem(STORED, JSON.stringify(begun));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'dashboard',
    redirect_uri: `${location.origin}${CALLBACK}`,
    scope: '*',
    state: begun.state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ui_locales: locale,
    ...(isStepUp && STEP_UP),
  });
  location.assign(`/api/oauth/authorize?${query.toString()}`);
}

/** Completes it. Returns the screen to go on with, or null if the response is not to a request of this tab. */
export async function finishSignIn(session: Session, query: URLSearchParams): Promise<string | null> {
  const stored = sessionStorage.getItem(STORED);
  sessionStorage.removeItem(STORED);
  const begun = stored === null ? null : (JSON.parse(stored) as Begun);
  const code = query.get('code');
  if (begun === null || code === null || query.get('state') !== begun.state) return null;
  await session.begin(code, begun.verifier);
  return safeReturnPath(begun.returnPath);
}
