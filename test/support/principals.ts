import { randomBytes } from 'node:crypto';
import { ProvisioningService } from '../../src/identity/oauth/provisioning.service.js';
import { keepSignedIn, sendRequest } from './api-request.js';
import { clientCredentials, TOKEN_PATH } from './merchant-api.js';
import type { TestGateway } from './test-gateway.js';

/** As the authorization server says (specification/authentication.md#oauth2). */
const TOKEN_SECONDS = 3_600;

/** A merchant who can talk to the gateway. */
export interface Owner {
  userId: string;
  /** OAuth2, for `Authorization: Bearer`. */
  accessToken: string;
}

/** With what the token was fetched with. */
export interface OwnerWithClient extends Owner {
  clientId: string;
  clientSecret: string;
}

/** A new user with an OAuth client of their own and a token fetched through the front door. */
export async function createOwner(gateway: TestGateway): Promise<Owner> {
  const { userId, accessToken } = await createOwnerWithClient(gateway);
  return { userId, accessToken };
}

export async function createOwnerWithClient(gateway: TestGateway): Promise<OwnerWithClient> {
  const name = `owner-${randomBytes(6).toString('hex')}`;
  // As long as those that the gateway makes: a shorter one can be a safe name in X-Ignored-Fields (log-canary.e2e-spec.ts).
  const secret = randomBytes(32).toString('base64url');
  const provisioning = gateway.get(ProvisioningService);
  const { id: userId } = await provisioning.ensureUser(`${name}@example.test`, `password of ${name}`);
  await provisioning.ensureClient({
    clientId: name,
    name,
    secret,
    userId,
    grantTypes: ['client_credentials'],
    redirectUris: [],
    // By name, since setting a wallet takes more than *.
    scopes: ['*', 'wallets:write'],
  });
  const accessToken = await fetchAccessToken(gateway, name, secret);
  let [token, expiresAt] = [accessToken, gateway.clock.unixSeconds() + TOKEN_SECONDS];
  keepSignedIn(accessToken, async () => {
    const now = gateway.clock.unixSeconds();
    if (now >= expiresAt) {
      token = await fetchAccessToken(gateway, name, secret);
      expiresAt = now + TOKEN_SECONDS;
    }
    return token;
  });
  return { userId, accessToken, clientId: name, clientSecret: secret };
}

/** One more token of an OAuth client. @param scope without: all that were granted to the client */
export async function fetchAccessToken(
  gateway: TestGateway,
  clientId: string,
  secret: string,
  scope?: string,
): Promise<string> {
  const request = { body: { ...clientCredentials({ clientId, secret }), ...(scope && { scope }) } };
  const { status, text } = await sendRequest(`${gateway.baseUrl}${TOKEN_PATH}`, request);
  const { access_token: token } = JSON.parse(text) as { access_token?: string };
  if (!token) throw new Error(`no token: ${status} ${text}`);
  return token;
}
