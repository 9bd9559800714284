import { setTimeout as delay } from 'node:timers/promises';
import type { AssetName, Payee } from '../chain-fuzz/payees.js';
import type { Hex } from '../support/anvil.js';
import { type ApiRequest, type ApiResponse, dataOf, sendRequest } from '../support/api-request.js';
import type { MerchantClient } from '../support/built-cli.js';
import {
  AMOUNT_DUE,
  type CreatedPayment,
  type CreatedRefund,
  MerchantApi,
  checkoutBody,
  refundOf,
  refundsPath,
} from '../support/merchant-api.js';

/** A gateway that does not respond within this is asked again, or another one. */
const RESPONSE_TIMEOUT_MS = 30_000;
/** One of the gateways must respond within this, whichever is killed. */
const PATIENCE_MS = 240_000;
const RETRY_MS = 60;

/** A POST with an Idempotency-Key that was repeated until it succeeded. */
export interface Made {
  what: 'payment' | 'refund';
  key: string;
  path: string;
  body: object;
  /** Of the payment or refund in the response. */
  id: string;
  answer: string;
}

/** A merchant's server in front of several gateways: repeats each failed request, writes with the same key. */
export class RetryingMerchant {
  readonly made: Made[] = [];
  /** Requests without a response, and those that were refused for the moment. */
  readonly counts = { lost: 0, refused: 0, replayed: 0 };
  readonly api = new MerchantApi((path, request) => this.send(path, request));
  private keys = 0;
  private turn = 0;
  private clientId = '';

  constructor(
    private readonly apiUrls: readonly string[],
    private readonly client: MerchantClient,
    private readonly name: string,
  ) {}

  async open(callbackUrl: string): Promise<void> {
    await this.api.signIn(this.client);
    const fields = { name: this.name, allowOverpay: true, callbackUrl };
    this.clientId = await this.api.createApplication(fields, this.newKey());
  }

  /** A payment, and where its customer is to pay by each of the methods. */
  async sell(methods: readonly AssetName[]): Promise<Payee> {
    const reference = `${this.name}-${this.made.length}-${this.keys}`;
    const body = checkoutBody(this.clientId, reference);
    const payment = dataOf<CreatedPayment>(await this.make('payment', '/api/payment/checkout', body));
    const asked = new Map<AssetName, bigint>();
    let evm: Hex | null = null;
    for (const method of methods) {
      const { address, amount } = await this.api.instructions(payment, method);
      asked.set(method, amount);
      evm = address.toLowerCase() as Hex;
    }
    return { paymentId: payment.id, due: AMOUNT_DUE, isConfirmedAlone: true, evm, script: null, asked };
  }

  /** Refunds all of a payment to an address. */
  async refund(paymentId: string, address: Hex): Promise<CreatedRefund> {
    return refundOf(await this.make('refund', refundsPath(paymentId), { address }));
  }

  completeRefund(paymentId: string, refundId: string, txHash: Hex): Promise<void> {
    return this.api.completeRefund(paymentId, refundId, txHash, this.newKey());
  }

  /** The response to one more request with the same key. */
  async repeat({ path, body, key }: Made): Promise<string> {
    const { text, isReplayed } = await this.api.call(path, { body, key });
    return isReplayed ? text : `no replay: ${text}`;
  }

  private async make(what: Made['what'], path: string, body: object) {
    const key = this.newKey();
    const response = await this.api.call(path, { body, key });
    this.made.push({ what, key, path, body, id: dataOf<{ id: string }>(response).id, answer: response.text });
    return response;
  }

  private newKey(): string {
    return `${this.name}-key-${++this.keys}`;
  }

  /** Repeats the request until it succeeds. @throws Error when it is refused for good, or never succeeds */
  private async send(path: string, request: ApiRequest = {}): Promise<ApiResponse> {
    const deadline = performance.now() + PATIENCE_MS;
    let last = 'no response';
    while (performance.now() < deadline) {
      const response = await this.try(path, request);
      if (typeof response === 'string') {
        this.counts.lost++;
        last = response;
      } else if (response.status >= 500 || response.text.includes('idempotency_in_progress')) {
        this.counts.refused++;
        last = `${response.status} ${response.text}`;
      } else if (response.status >= 400) {
        throw new Error(`${path}: ${response.status} ${response.text}`);
      } else {
        if (response.isReplayed) this.counts.replayed++;
        return response;
      }
      await delay(RETRY_MS);
    }
    const withKey = request.key ? ` with the key ${request.key}` : '';
    throw new Error(`${path}${withKey}: never succeeded, last ${last}`);
  }

  /** @returns the failure as text where there is no response */
  private async try(path: string, request: ApiRequest): Promise<ApiResponse | string> {
    const baseUrl = this.apiUrls[this.turn++ % this.apiUrls.length] ?? '';
    try {
      const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
      return await sendRequest(`${baseUrl}${path}`, { ...request, signal });
    } catch (error) {
      return String(error instanceof Error && error.cause instanceof Error ? error.cause : error);
    }
  }
}
