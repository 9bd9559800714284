import type { AddressInfo } from 'node:net';
import { dataOf, sendRequest } from '../../test/support/api-request.js';
import { Clock } from '../../src/platform/kernel/clock.pure.js';
import { createOwnerWithClient } from '../../test/support/principals.js';
import type { TestGateway } from '../../test/support/test-gateway.js';
import type { BenchGateway } from './gateway.js';

/** A merchant with an application, made through the front door, so that their rows are authentic. */
export async function createMerchant(
  gateway: BenchGateway,
  settings: { callbackUrl?: string } = {},
): Promise<{ userId: string; applicationId: string }> {
  await gateway.app.listen(0, '127.0.0.1');
  const { port } = (gateway.app.getHttpServer() as { address(): AddressInfo }).address();
  const baseUrl = `http://127.0.0.1:${port}`;
  const { userId, accessToken } = await createOwnerWithClient({
    ...gateway,
    clock: gateway.get(Clock),
    baseUrl,
  } as unknown as TestGateway);
  const body = { name: 'Bench', secret: 'a secret of the benchmark with enough length', ...settings };
  const answer = await sendRequest(`${baseUrl}/api/payment-applications`, { token: accessToken, body });
  return { userId, applicationId: dataOf<{ id: string }>(answer).id };
}
