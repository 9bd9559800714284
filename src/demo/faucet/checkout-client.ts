import { parseExact } from '../../platform/kernel/exact-json.pure.js';
import { FaucetError } from './dev-wallet.js';

/** A payment method of the public list. */
export interface CheckoutMethod {
  provider: string;
  method: string;
  selected: boolean;
  available: boolean;
}

/** The fields of the public instructions that a wallet needs. */
export interface CheckoutInstructions {
  provider: string;
  method: string;
  address: string;
  /** `contractAddress` of a token; null for the native coin. */
  token: { contractAddress: string } | null;
  amount: { atomic: string; formatted: string };
  remainingAmount: { atomic: string; formatted: string };
}

/** Reads a checkout through the public endpoints, with the signature of its link. */
export class CheckoutClient {
  private readonly paymentId: string;

  constructor(private readonly link: URL) {
    this.paymentId = link.pathname.split('/').at(-1) ?? '';
  }

  methods(): Promise<CheckoutMethod[]> {
    return this.get<CheckoutMethod[]>(`/api/checkout/${this.paymentId}/payment-methods`);
  }

  instructions(provider: string, method: string): Promise<CheckoutInstructions> {
    const path = `/api/checkout/payment/${this.paymentId}/provider/${provider}/method/${method}`;
    return this.get<CheckoutInstructions>(path);
  }

  async status(): Promise<string> {
    const { status } = await this.get<{ status: string }>(`/api/checkout/payment/${this.paymentId}`);
    return status;
  }

  private async get<T>(path: string): Promise<T> {
    const response = await fetch(new URL(path + this.link.search, this.link));
    const text = await response.text();
    if (!response.ok) throw new FaucetError(`the gateway returned ${response.status}: ${text}`);
    return (parseExact(text) as { data: T }).data;
  }
}
