import { type ApiRequest, type ApiResponse, dataOf } from './api-request.js';
import type { MerchantClient } from './built-cli.js';
import type { Hex } from './anvil.js';

/** Sends a request to a path of the gateway, and retries it as its owner sees fit. @throws Error unless it succeeds */
export type Transport = (
  path: string,
  request?: ApiRequest,
) => Promise<Pick<ApiResponse, 'text' | 'isReplayed'>>;

/** 100.00 USD. */
export const AMOUNT_DUE = 10_000n;
/** Signs the webhooks of the merchant's applications. */
export const WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export interface CreatedPayment {
  id: string;
  checkoutUrl: string;
}

/** A payment as the API shows it, as far as an oracle compares it. */
export interface ShownPayment {
  status: string;
  receivedAmount: { atomic: string };
  reviewReason: string | null;
  transactions: ShownTransfer[];
  /** Sums. */
  otherTransactions: ShownTransfer[];
}

interface ShownTransfer {
  currencyCode: string;
  status: string;
  matched: boolean;
  amount: { atomic: string };
  creditedAmount: { atomic: string };
  /** Of a sum. */
  count?: number;
}

/** Where and how much a customer pays by one method. */
export interface PaymentInstructions {
  address: string;
  /** In the smallest unit of the coin or token. */
  amount: bigint;
}

export interface CreatedRefund {
  id: string;
  address: Hex;
  /** In the smallest unit of the coin or token. */
  payoutAmount: bigint;
  /** The contract; null: the native coin. */
  token: Hex | null;
}

export const TOKEN_PATH = '/api/oauth/token';

/** The body of a token request (RFC 6749, section 4.4). */
export function clientCredentials({ clientId, secret }: MerchantClient) {
  return { grant_type: 'client_credentials', client_id: clientId, client_secret: secret };
}

/** The body that creates a payment over {@link AMOUNT_DUE}. */
export function checkoutBody(clientId: string, reference: string) {
  return { amount: AMOUNT_DUE, currencyCode: 'USD', reference, referenceLabel: reference, clientId };
}

/** The API as the server of a merchant and the checkout of its customers use it. */
export class MerchantApi {
  /** Of the last {@link signIn}. */
  token: string | null = null;

  constructor(private readonly transport: Transport) {}

  /** With an OAuth client of the client credentials grant. */
  async signIn(client: MerchantClient): Promise<void> {
    const { text } = await this.transport(TOKEN_PATH, { body: clientCredentials(client) });
    this.token = (JSON.parse(text) as { access_token: string }).access_token;
  }

  /** Creates an application and returns its client id. @param fields override name and secret, or add others */
  async createApplication(fields: object, key: string | null = null): Promise<string> {
    const body = { name: 'Shop', secret: WEBHOOK_SECRET, ...fields };
    return dataOf<{ clientId: string }>(await this.call('/api/payment-applications', { body, key })).clientId;
  }

  async createPayment(
    clientId: string,
    reference: string,
    key: string | null = null,
  ): Promise<CreatedPayment> {
    return dataOf(await this.call('/api/payment/checkout', { body: checkoutBody(clientId, reference), key }));
  }

  /** What the customer sees; the first request for a method gives the payment its address. */
  async instructions(
    payment: CreatedPayment,
    method: string,
    provider = 'ethereum',
  ): Promise<PaymentInstructions> {
    const path = `/api/checkout/payment/${payment.id}/provider/${provider}/method/${method.toLowerCase()}`;
    const response = await this.transport(`${path}${new URL(payment.checkoutUrl).search}`);
    const { address, amount } = dataOf<{ address: string; amount: { atomic: string } }>(response);
    return { address, amount: BigInt(amount.atomic) };
  }

  async payment(id: string): Promise<ShownPayment> {
    return dataOf(await this.call(`/api/payment/${id}`));
  }

  /** Refunds all of a payment to an address. */
  async createRefund(paymentId: string, address: Hex, key: string): Promise<CreatedRefund> {
    return refundOf(await this.call(refundsPath(paymentId), { body: { address }, key }));
  }

  async completeRefund(paymentId: string, refundId: string, txHash: Hex, key: string): Promise<void> {
    await this.call(`${refundsPath(paymentId)}/${refundId}/complete`, { body: { txHash }, key });
  }

  /** A request with the merchant's token. */
  call(path: string, request: ApiRequest = {}): Promise<Pick<ApiResponse, 'text' | 'isReplayed'>> {
    return this.transport(path, { ...request, token: this.token });
  }
}

export function refundsPath(paymentId: string): string {
  return `/api/payment/${paymentId}/refunds`;
}

export function refundOf(response: Pick<ApiResponse, 'text'>): CreatedRefund {
  const { id, address, payoutAmount, token } = dataOf<{
    id: string;
    address: Hex;
    payoutAmount: { atomic: string };
    token: { contractAddress: Hex } | null;
  }>(response);
  return { id, address, payoutAmount: BigInt(payoutAmount.atomic), token: token?.contractAddress ?? null };
}
