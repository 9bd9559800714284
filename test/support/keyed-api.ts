import { randomUUID } from 'node:crypto';
import { IdempotencyService } from '../../src/platform/web/idempotency/idempotency.service.js';
import { meaningOf } from '../../src/platform/web/idempotency/request-meaning.pure.js';
import { sha256 } from '../../src/platform/kernel/hmac.pure.js';
import { type ApiResponse, sendRequest } from './api-request.js';
import { ApplicationsApi } from './applications-api.js';
import { createClientToken } from './client-tokens.js';
import { createOwner, type Owner } from './principals.js';
import { EVM_XPUB } from './shop.js';
import type { TestGateway } from './test-gateway.js';
import type { Merchant, WebhookHarness } from './webhook-harness.js';

export const CHECKOUT = '/api/payment/checkout';
/** No node is there; creating and presenting a payment only needs the chain's name and a wallet. */
export const CHAIN_ENV = { CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:9', WALLET_EVM_XPUB: EVM_XPUB };

export const newKey = () => randomUUID();

/** An answer that only the record of the first request can know. */
export const OF_THE_FIRST = JSON.stringify({
  data: { id: '550e8400-e29b-41d4-a716-446655440000', checkoutUrl: 'https://pay.example/of-the-first' },
});

/** A response, complete enough to be compared byte for byte. */
export interface KeyedAnswer extends ApiResponse {
  data: { id: string; token?: string };
  code: string | undefined;
}

/** What is sent with a token and, unless null, an Idempotency-Key. */
export interface KeyedPost {
  path: string;
  token: string;
  key: string | null;
  /** Text is sent as it is. */
  body?: unknown;
  signal?: AbortSignal;
}

/** POST with an Idempotency-Key. */
export async function postWithKey(
  { baseUrl }: Pick<TestGateway, 'baseUrl'>,
  { path, token, key, body, signal }: KeyedPost,
): Promise<KeyedAnswer> {
  const request = { method: 'POST', token, key, body, ...(signal && { signal }) };
  const response = await sendRequest(`${baseUrl}${path}`, request);
  const { data, code } = JSON.parse(response.text) as Pick<KeyedAnswer, 'data' | 'code'>;
  return { ...response, data, code };
}

/** A merchant who sends keys, with what is to be counted afterwards. */
export class KeyedMerchant {
  private constructor(
    readonly gateway: TestGateway,
    readonly owner: Owner,
    readonly merchant: Merchant,
    /** Of the application, for everything; it does not expire when a test moves the clock. */
    readonly token: string,
    /** The body of a checkout. */
    readonly checkout: Record<string, unknown>,
  ) {}

  static async open(harness: WebhookHarness): Promise<KeyedMerchant> {
    const { gateway } = harness;
    const owner = await createOwner(gateway);
    const merchant = await harness.addMerchant({}, owner.userId);
    const { token } = await createClientToken(gateway, owner, merchant.applicationId);
    const { clientId } = (await new ApplicationsApi(gateway, owner).get(merchant.applicationId)).data;
    const checkout = {
      amount: 10_000,
      currencyCode: 'USD',
      reference: 'ORDER-1',
      referenceLabel: 'Order #1',
      clientId,
    };
    return new KeyedMerchant(gateway, owner, merchant, token, checkout);
  }

  /** Creates a checkout, by default with a new key. */
  post(request: Partial<KeyedPost> = {}, on: Pick<TestGateway, 'baseUrl'> = this.gateway) {
    const { token, checkout } = this;
    return postWithKey(on, { path: CHECKOUT, token, key: newKey(), body: checkout, ...request });
  }

  /**
   * Reserves the key for a checkout that ends when `finish` is called, with {@link OF_THE_FIRST}.
   * @param on the gateway that holds it
   */
  async hold(key: string, on: TestGateway = this.gateway): Promise<{ finish: () => Promise<unknown> }> {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const request = {
      userId: this.owner.userId,
      application: this.merchant.applicationId,
      method: 'POST',
      path: CHECKOUT,
      key,
      bodyHash: sha256(meaningOf(this.checkout, null)),
    };
    const first = on.get(IdempotencyService).once(request, {
      run: async () => {
        begin();
        await finished;
        return { status: 201, body: OF_THE_FIRST };
      },
      describeFailure: () => null,
    });
    // Its key is reserved; before that, another request could come first.
    await begun;
    return {
      finish: () => {
        finish();
        return first;
      },
    };
  }

  async countPayments(): Promise<number> {
    const rows = await this.gateway.sql.query('select 1 from payments where application_id = $1', [
      this.merchant.applicationId,
    ]);
    return rows.length;
  }

  async countKeys(key: string | null): Promise<number> {
    return (await this.gateway.sql.query('select 1 from idempotency_keys where key = $1', [key])).length;
  }
}
