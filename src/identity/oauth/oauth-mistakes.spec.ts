import { describeMistake, type OAuthMistake } from './oauth-mistakes.js';

const invalidGrant = (detail: string): OAuthMistake => ({
  error: 'invalid_grant',
  description: 'grant request is invalid',
  detail,
});
const invalidRequest = (description: string, more: Partial<OAuthMistake> = {}): OAuthMistake => ({
  error: 'invalid_request',
  description,
  ...more,
});
const invalidClient = (secret: 'header' | 'body' | 'none', detail: string): OAuthMistake => ({
  error: 'invalid_client',
  description: 'client authentication failed',
  secret,
  detail,
});
const redirect = (sent: string, ...registered: string[]): OAuthMistake => ({
  error: 'invalid_redirect_uri',
  description: "redirect_uri did not match any of the client's registered redirect_uris",
  redirect: { sent, registered },
});

describe('describeMistake', () => {
  it.each<[OAuthMistake, RegExp]>([
    [invalidGrant('authorization code is expired'), /good for a minute/],
    [invalidGrant('authorization code already consumed'), /used before/],
    [invalidGrant('authorization code redirect_uri mismatch'), /not the one of the authorization request/],
    [invalidGrant('code_verifier must be provided'), /code_verifier is missing/],
    [invalidGrant('code_verifier does not match code_challenge'), /BASE64URL\(SHA256\(code_verifier\)\)/],
    [invalidGrant('refresh token already used'), /keep the new one of every response/],
    [invalidGrant('client mismatch'), /given to another client/],
    [invalidRequest('no client authentication mechanism provided'), /HTTP Basic .* or as client_id/],
    [invalidRequest("missing required parameter 'grant_type'"), /client_credentials/],
    [
      invalidRequest('requested grant type is not allowed for this client', {
        grantTypes: ['authorization_code', 'refresh_token'],
      }),
      /may use authorization_code and refresh_token only/,
    ],
    [invalidRequest('something that has no text here'), /^something that has no text here$/],
    [invalidGrant('something new'), /^grant request is invalid$/],
  ])('%j', (mistake, expected) => {
    expect(describeMistake(mistake)).toMatch(expected);
  });

  it.each(['header', 'body', 'none'] as const)(
    'does not reveal which clients exist (secret: %s)',
    (where) => {
      const texts = [
        'client not found',
        'invalid secret provided',
        'the provided authentication mechanism',
      ].map((detail) => describeMistake(invalidClient(where, detail)));
      expect(new Set(texts).size).toBe(1);
      expect(texts[0]).toMatch(where === 'none' ? /secret is missing/ : /secret is wrong/);
    },
  );

  it.each<[string, string[], string]>([
    ['https://a.example/cb/', ['https://a.example/cb'], 'path (a slash too many at its end)'],
    ['https://a.example/cb', ['https://a.example/cb/'], 'path (a slash missing at its end)'],
    ['https://a.example/CB', ['https://a.example/cb'], 'path (capital letters)'],
    ['http://a.example/cb', ['https://a.example/cb'], 'scheme'],
    ['http://localhost:3001/cb', ['http://localhost:3000/cb'], 'port'],
    ['http://127.0.0.1:3000/cb', ['http://localhost:3000/cb'], 'host'],
    ['https://a.example/cb?x=1', ['https://a.example/cb'], 'query'],
    ['https://evil.example@a.example/cb', ['https://a.example/cb'], 'user name'],
    ['https://b.example/x', ['https://a.example/cb', 'https://b.example/cb'], 'path'],
    ['https://A.example/cb', ['https://a.example/cb'], 'spelling'],
    ['http://b.example/x', ['https://a.example/cb'], 'scheme, host, path'],
  ])('for %s with %j registered, names the %s as the difference', (sent, registered, parts) => {
    const text = describeMistake(redirect(sent, ...registered));
    expect(text).toContain(`it differs in its ${parts} from the nearest one`);
    for (const secret of registered) expect(text).not.toContain(secret);
  });

  it('describes malformed redirect URIs and clients without a registered one', () => {
    expect(describeMistake(redirect('/cb', 'https://a.example/cb'))).toContain('not an absolute address');
    expect(describeMistake(redirect('https://a.example/cb'))).toContain('it has none');
  });

  it('uses only the characters allowed in error_description (RFC 6749 section 5.2)', () => {
    const texts = [
      describeMistake(invalidGrant('code_verifier does not match code_challenge')),
      describeMistake(invalidClient('header', 'x')),
      describeMistake(redirect('https://a.example/"quoted"\\', 'https://a.example/cb')),
    ];
    for (const text of texts) expect(text).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });
});
