import { setTimeout as delay } from 'node:timers/promises';
import { parseExact, stringifyExact } from '../../src/platform/http/exact-json.pure.js';
import type { MerchantClient } from '../support/built-cli.js';
import type { ShownPayment } from '../chain-fuzz/merchant.js';
import type { AssetName, Payee } from '../chain-fuzz/payees.js';
import type { Hex } from '../support/anvil.js';
import { SECRET } from './inbox.js';

/** 100.00 USD. */
const DUE = 10_000n;
/** A gateway that says nothing is asked again after this. */
const ANSWER_MS = 30_000;
/** Somebody must answer within this, whoever dies. */
const PATIENCE_MS = 240_000;
const RETRY_MS = 60;

/** A POST with a key, as often repeated as it took. */
export interface Made {
  what: 'payment' | 'refund';
  key: string;
  path: string;
  body: object;
  /** What the answer names. */
  id: string;
  answer: string;
}

interface Answer {
  status: number;
  text: string;
  isReplayed: boolean;
}

/** Asked for once, answered by whoever was alive. */
export interface Instructions {
  address: Hex;
  amount: bigint;
}

export interface CreatedRefund {
  id: string;
  address: Hex;
  payoutAmount: bigint;
  /** Null: ether. */
  token: Hex | null;
}

/** A merchant's server: repeats with the same key whatever was not answered. */
export class Shop {
  readonly made: Made[] = [];
  /** Requests that nobody answered, and those that were answered with "not now". */
  readonly counts = { lost: 0, refused: 0, replayed: 0 };
  private keys = 0;
  private turn = 0;
  private token = '';
  private clientId = '';

  constructor(
    private readonly apiUrls: readonly string[],
    private readonly client: MerchantClient,
    private readonly name: string,
  ) {}

  async open(callbackUrl: string): Promise<void> {
    const credentials = { client_id: this.client.clientId, client_secret: this.client.secret };
    const token = await this.call('/api/oauth/token', { grant_type: 'client_credentials', ...credentials });
    this.token = (JSON.parse(token.text) as { access_token: string }).access_token;
    const fields = { name: this.name, secret: SECRET, allowOverpay: true, callbackUrl };
    const { text } = await this.call('/api/payment-applications', fields, this.newKey());
    this.clientId = dataOf<{ clientId: string }>(text).clientId;
  }

  /** A payment, and where its customer is to pay by each of the methods. */
  async sell(methods: readonly AssetName[]): Promise<Payee> {
    const reference = `${this.name}-${this.made.length}-${this.keys}`;
    const body = {
      amount: DUE,
      currencyCode: 'USD',
      reference,
      referenceLabel: reference,
      clientId: this.clientId,
    };
    const text = await this.make('payment', '/api/payment/checkout', body);
    const { id, checkoutUrl } = dataOf<{ id: string; checkoutUrl: string }>(text);
    const { search } = new URL(checkoutUrl);
    const asked = new Map<AssetName, bigint>();
    let evm: Hex | null = null;
    for (const method of methods) {
      const path = `/api/checkout/payment/${id}/provider/ethereum/method/${method.toLowerCase()}${search}`;
      const shown = dataOf<{ address: Hex; amount: { atomic: string } }>((await this.call(path)).text);
      asked.set(method, BigInt(shown.amount.atomic));
      evm = shown.address.toLowerCase() as Hex;
    }
    return { paymentId: id, due: DUE, isConfirmedAlone: true, evm, script: null, asked };
  }

  /** Gives all of a payment back to an address. */
  async refund(paymentId: string, address: Hex): Promise<CreatedRefund> {
    const text = await this.make('refund', `/api/payment/${paymentId}/refunds`, { address });
    const refund = dataOf<{
      id: string;
      address: Hex;
      payoutAmount: { atomic: string };
      token: { contractAddress: Hex } | null;
    }>(text);
    return {
      id: refund.id,
      address: refund.address,
      payoutAmount: BigInt(refund.payoutAmount.atomic),
      token: refund.token?.contractAddress ?? null,
    };
  }

  async completeRefund(paymentId: string, refundId: string, txHash: Hex): Promise<void> {
    await this.call(`/api/payment/${paymentId}/refunds/${refundId}/complete`, { txHash }, this.newKey());
  }

  async payment(id: string): Promise<ShownPayment> {
    return dataOf<ShownPayment>((await this.call(`/api/payment/${id}`)).text);
  }

  /** What a key answers now. */
  async repeat({ path, body, key }: Made): Promise<string> {
    const { text, isReplayed } = await this.call(path, body, key);
    return isReplayed ? text : `no replay: ${text}`;
  }

  private async make(what: Made['what'], path: string, body: object): Promise<string> {
    const key = this.newKey();
    const { text } = await this.call(path, body, key);
    this.made.push({ what, key, path, body, id: dataOf<{ id: string }>(text).id, answer: text });
    return text;
  }

  private newKey(): string {
    return `${this.name}-key-${++this.keys}`;
  }

  /** GET without a body, POST with one; until it is answered. @throws Error unless it goes well in the end */
  private async call(path: string, body?: object, key?: string): Promise<Answer> {
    const deadline = performance.now() + PATIENCE_MS;
    let last = 'nobody answers';
    while (performance.now() < deadline) {
      const answer = await this.try(path, body, key);
      if (typeof answer === 'string') {
        this.counts.lost++;
        last = answer;
      } else if (answer.status >= 500 || answer.text.includes('idempotency_in_progress')) {
        this.counts.refused++;
        last = `${answer.status} ${answer.text}`;
      } else if (answer.status >= 400) {
        throw new Error(`${path}: ${answer.status} ${answer.text}`);
      } else {
        if (answer.isReplayed) this.counts.replayed++;
        return answer;
      }
      await delay(RETRY_MS);
    }
    throw new Error(`${path}${key === undefined ? '' : ` with the key ${key}`}: not answered, last ${last}`);
  }

  private async try(path: string, body?: object, key?: string): Promise<Answer | string> {
    const baseUrl = this.apiUrls[this.turn++ % this.apiUrls.length] ?? '';
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          ...(this.token !== '' && { authorization: `Bearer ${this.token}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { body: stringifyExact(body) }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const isReplayed = response.headers.get('idempotency-replayed') === 'true';
      return { status: response.status, text: await response.text(), isReplayed };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return String(cause);
    }
  }
}

function dataOf<T>(text: string): T {
  return (parseExact(text) as { data: T }).data;
}
