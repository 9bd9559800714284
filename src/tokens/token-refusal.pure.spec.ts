import type { AccessRule } from '../platform/web/security/auth.js';
import { newClientToken } from './client-token.pure.js';
import { acceptedBy, oauthRequired, refusalOfForm, refusalOfRequest } from './token-refusal.pure.js';

const TOKEN = newClientToken();
const ANY: AccessRule = { kind: 'any-token' };
/** RFC 6750, section 3: what `error_description` may consist of. */
const DESCRIPTION = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;

describe('refusalOfRequest', () => {
  const refuse = (headers: Record<string, unknown>, query = {}) => refusalOfRequest({ headers, query }, ANY);

  it.each<[what: string, authorization: string, says: string]>([
    ['an empty header', ' ', 'The Authorization header is empty'],
    ['the token alone', TOKEN, 'The word Bearer is missing'],
    ['another scheme', `Token ${TOKEN}`, 'The scheme Token is not accepted'],
    ['basic authentication', 'Basic dXNlcjpwYXNz', 'POST /api/oauth/token'],
    ['Bearer alone', 'Bearer', 'No token follows the word Bearer'],
    ['Bearer and a space', 'Bearer ', 'No token follows the word Bearer'],
    ['two spaces', `Bearer  ${TOKEN}`, 'Exactly one space'],
    ['Bearer twice', `Bearer bearer ${TOKEN}`, 'The word Bearer appears twice'],
    ['a colon', `Bearer: ${TOKEN}`, 'not by a colon'],
    ['white space in the token', `Bearer ${TOKEN} ${TOKEN}`, 'contains white space'],
    ['nonsense', `<>"' ${TOKEN}`, 'malformed'],
  ])('%s is an invalid request', (_what, authorization, says) => {
    const refusal = refuse({ authorization });
    expect(refusal).toEqual({
      error: 'invalid_request',
      description: expect.stringContaining(says) as string,
    });
    expect(refusal?.description).toMatch(DESCRIPTION);
    expect(refusal?.description).not.toContain(TOKEN);
  });

  it('recognizes a token in the places where other services expect it', () => {
    expect(refuse({ 'x-api-key': TOKEN })?.description).toContain('in the header x-api-key is not read');
    expect(refuse({}, { access_token: TOKEN })?.description).toContain('in the address (access_token)');
  });

  it('names no error without a token and says which tokens the route accepts', () => {
    expect(refuse({})).toEqual({
      error: null,
      description:
        'The request has no Authorization header; send Authorization: Bearer <token> with a client token or an OAuth2 access token.',
    });
    expect(acceptedBy({ kind: 'oauth', area: 'account' })).toBe('an OAuth2 access token');
  });

  it('returns null when there is a bearer token, so that the token itself is checked', () =>
    expect(refuse({ authorization: `Bearer ${TOKEN}`, 'x-api-key': 'x' })).toBeNull());
});

describe('refusalOfForm', () => {
  it.each<[what: string, token: string, says: string]>([
    ['a missing value', 'undefined', 'is not set'],
    ['a placeholder', '<CLIENT_TOKEN>', 'a placeholder'],
    ['a variable of a shell', '$TOKEN', 'a placeholder'],
    ['a template', '{{token}}', 'a placeholder'],
    ['an example', 'YOUR_API_KEY', 'a placeholder'],
    ['quotation marks', `"${TOKEN}"`, 'in quotation marks'],
    ['a quotation mark at one end', `${TOKEN}'`, 'in quotation marks'],
    ['an escaped line feed', `${TOKEN}\\n`, 'an escaped line feed'],
    ['percent-encoding', `${TOKEN}%0A`, 'percent-encoding'],
    ['the shown beginning', TOKEN.slice(0, 8), 'only the beginning'],
    ['a part of a token', TOKEN.slice(0, 40), 'it has 40 of 44 characters'],
    ['more than a token', `${TOKEN}xx`, 'it has 46 characters'],
    ['a wrong checksum', `${TOKEN.slice(0, -6)}000000`, 'its checksum does not match'],
    ['a webhook secret', 'whsec_c2VjcmV0', 'a webhook secret'],
    ['an id', '550e8400-e29b-41d4-a716-446655440000', 'This is an id'],
    ['a clientId', 'v05j0yg1t6143cgkxy3g5ujmitjl69v3', 'a clientId'],
    ['anything else', 'opensesame', 'does not have the form of a token'],
  ])('%s is an invalid token', (_what, token, says) => {
    const refusal = refusalOfForm(token);
    expect(refusal).toEqual({ error: 'invalid_token', description: expect.stringContaining(says) as string });
    expect(refusal?.description).toMatch(DESCRIPTION);
    expect(refusal?.description).not.toContain(token);
  });

  it.each([
    ['a client token', TOKEN],
    ['an access token', 'Zm9yZWlnbi1nYXRld2F5LXRva2VuLW9mLXN0YWdpbmc'],
    ['an access token that begins like a client token', `pct_${'x'.repeat(39)}`],
    ['a JWT', 'e30.e30.c2ln'],
  ])('%s can be a valid token', (_what, token) => expect(refusalOfForm(token)).toBeNull());
});

describe('oauthRequired', () => {
  it('recognizes a missing id in the path', () => {
    expect(oauthRequired('/api/payment/')).toContain('where a payment id belongs');
    expect(oauthRequired('/api/payment')).toContain('takes OAuth2 access tokens only');
  });
});
