import { ApplicationsApi } from './applications-api.js';
import type { Owner } from './principals.js';
import type { TestGateway } from './test-gateway.js';

/** A client token as the API shows it; `token` only once. */
export interface ClientTokenDto {
  id: string;
  paymentApplicationId: string;
  label: string;
  scopes: string[];
  tokenPrefix: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  createdAt: string;
  token?: string;
}

/** The path of client tokens (specification/authentication.md#client-tokens). */
export const tokensPath = (applicationId: string) =>
  `/api/payment-applications/${applicationId}/client-tokens`;

/** A new client token of an owner's application. */
export async function createClientToken(
  gateway: TestGateway,
  owner: Owner,
  applicationId: string,
  fields: object = {},
): Promise<ClientTokenDto & { token: string }> {
  const api = new ApplicationsApi(gateway, owner);
  const body = { label: 'Shop server', scopes: ['*'], ...fields };
  const { status, data, text } = await api.call<ClientTokenDto>('POST', tokensPath(applicationId), body);
  if (status !== 201 || !data.token) throw new Error(`no client token: ${status} ${text}`);
  return { ...data, token: data.token };
}
