import { createHash, randomBytes } from 'node:crypto';
import {
  type ClientDescription,
  ProvisioningService,
} from '../../src/identity/oauth/provisioning.service.js';
import { Browser } from './browser.js';
import type { TestGateway } from './test-gateway.js';

/** An answer of the authorization server: JSON, never wrapped in `data`. */
export interface OAuthAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** RFC 6749 section 2.3.1. */
export function basic(clientId: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` };
}

/** Posts a form to `/token`, `/revoke` or `/introspect`. */
export function postForm(
  gateway: TestGateway,
  endpoint: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<OAuthAnswer> {
  return post(gateway, endpoint, { body: new URLSearchParams(fields), headers });
}

/** Posts anything to them. */
export async function post(gateway: TestGateway, endpoint: string, init: RequestInit): Promise<OAuthAnswer> {
  const response = await fetch(`${gateway.baseUrl}/api/oauth${endpoint}`, { method: 'POST', ...init });
  const text = await response.text();
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

/** The status of an OAuth2-only endpoint with this token. */
export async function statusWith(gateway: TestGateway, token: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${String(token)}` };
  const response = await fetch(`${gateway.baseUrl}/api/payment-applications`, { headers });
  await response.arrayBuffer();
  return response.status;
}

export const REDIRECT_URI = 'https://shop.example/callback?from=gateway';
export const PASSWORD = 'correct horse battery';

/** A user of a unique address, with {@link PASSWORD}. */
export async function createUser(gateway: TestGateway): Promise<{ id: string; email: string }> {
  const email = `user-${randomBytes(6).toString('hex')}@example.test`;
  const { id } = await gateway.get(ProvisioningService).ensureUser(email, PASSWORD);
  return { id, email };
}

/** By default a public client of the authorization code grant. */
export async function createClient(
  gateway: TestGateway,
  changes: Partial<ClientDescription> = {},
): Promise<string> {
  const clientId = `client-${randomBytes(6).toString('hex')}`;
  await gateway.get(ProvisioningService).ensureClient({
    clientId,
    name: 'Test <Dashboard>',
    secret: null,
    userId: null,
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: [REDIRECT_URI],
    ...changes,
  });
  return clientId;
}

/** RFC 7636. */
export function newPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The address that a client sends the browser to. */
export function authorizeUrl(clientId: string, changes: Record<string, string | null> = {}): string {
  const parameters: Record<string, string | null> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    state: 'the state',
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) query.append(name, value);
  return `/api/oauth/authorize?${query.toString()}`;
}

/** Signs in and agrees through the pages. Returns the URL that the browser is redirected to. */
export async function signIn(browser: Browser, email: string, url: string): Promise<URL> {
  const loginPage = await browser.follow(await browser.get(url));
  const consentPage = await browser.follow(
    await browser.submit(loginPage.url, { email, password: PASSWORD, decision: 'allow' }),
  );
  const end = await browser.follow(await browser.submit(consentPage.url, { decision: 'allow' }));
  if (!end.location) throw new Error(`no redirect to the client: ${end.status} ${end.body}`);
  return end.location;
}

/** The tokens of a fresh sign-in. */
export async function fetchTokens(
  gateway: TestGateway,
  clientId: string,
  email: string,
  scope: string | null = null,
): Promise<Record<string, unknown>> {
  const { verifier, challenge } = newPkce();
  const url = authorizeUrl(clientId, { code_challenge: challenge, scope });
  const back = await signIn(new Browser(gateway), email, url);
  const { status, body } = await redeem(gateway, clientId, back.searchParams.get('code') ?? '', verifier);
  if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`);
  return body;
}

/** Exchanges a code for tokens. */
export function redeem(
  gateway: TestGateway,
  clientId: string,
  code: string,
  verifier: string,
): Promise<OAuthAnswer> {
  return postForm(gateway, '/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code,
    code_verifier: verifier,
  });
}

/** Exchanges a refresh token for a new pair. */
export function refresh(gateway: TestGateway, clientId: string, token: unknown): Promise<OAuthAnswer> {
  return postForm(gateway, '/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: String(token),
  });
}
