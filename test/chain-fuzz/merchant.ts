import { bech32 } from '@scure/base';
import { STANDARD_EVENTS } from '../../src/applications/event-types.pure.js';
import { parseExact, stringifyExact } from '../../src/platform/http/exact-json.pure.js';
import type { MerchantClient } from '../support/built-cli.js';
import type { AssetName, Payee } from './payees.js';

/** For every payment of a program, the methods that its customer looks at. */
const METHODS: readonly (readonly AssetName[])[] = [
  ['ETH'],
  ['ETH', 'BTC'],
  ['USDT', 'BTC'],
  ['BTC'],
  ['USDC', 'USDT', 'BTC'],
  ['ETH', 'USDT', 'USDC', 'BTC'],
];
/** 100.00 USD. */
const DUE = 10_000n;

/** A payment as the API shows it. */
export interface ShownPayment {
  status: string;
  receivedAmount: { atomic: string };
  reviewReason: string | null;
}

interface Instructions {
  address: string;
  amount: { atomic: string };
}

/** A merchant's server and its customers: everything through the front door. */
export class Merchant {
  private constructor(
    private readonly baseUrl: string,
    private readonly token: string,
    /** Client ids: with a webhook that nobody delivers to, and without one. */
    private readonly clientIds: readonly [string, string],
  ) {}

  static async open(baseUrl: string, { clientId, secret }: MerchantClient): Promise<Merchant> {
    const answer = await fetch(`${baseUrl}/api/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
    });
    const { access_token: token } = (await answer.json()) as { access_token?: string };
    if (!token) throw new Error(`no access token: ${answer.status}`);
    const create = (name: string, more: object) =>
      call<{ clientId: string }>(baseUrl, token, '/api/payment-applications', {
        name,
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        allowOverpay: true,
        ...more,
      });
    const announced = await create('Announced', {
      callbackUrl: 'https://merchant.test/webhook',
      events: [...STANDARD_EVENTS, 'payment.found'],
    });
    const silent = await create('Without a webhook', {});
    return new Merchant(baseUrl, token, [announced.clientId, silent.clientId]);
  }

  /** New payments, half of them of each application. */
  async openPayees(reference: string): Promise<Payee[]> {
    const payees: Payee[] = [];
    for (const [i, methods] of METHODS.entries()) {
      payees.push(await this.openPayee(`${reference}-${i}`, methods, i % 2 === 1));
    }
    return payees;
  }

  private async openPayee(
    reference: string,
    methods: readonly AssetName[],
    isConfirmedAlone: boolean,
  ): Promise<Payee> {
    const created = await call<{ id: string; checkoutUrl: string }>(
      this.baseUrl,
      this.token,
      '/api/payment/checkout',
      {
        amount: DUE,
        currencyCode: 'USD',
        reference,
        referenceLabel: reference,
        clientId: this.clientIds[isConfirmedAlone ? 1 : 0],
      },
    );
    const { search } = new URL(created.checkoutUrl);
    const asked = new Map<AssetName, bigint>();
    let [evm, script]: [Payee['evm'], Payee['script']] = [null, null];
    for (const method of methods) {
      const provider = method === 'BTC' ? 'bitcoin' : 'ethereum';
      const path = `/api/checkout/payment/${created.id}/provider/${provider}/method/${method.toLowerCase()}`;
      const { address, amount } = await call<Instructions>(this.baseUrl, null, `${path}${search}`);
      asked.set(method, BigInt(amount.atomic));
      if (method === 'BTC') script = scriptOf(address);
      else evm = `0x${address.slice(2).toLowerCase()}`;
    }
    const hearsOfFound = !isConfirmedAlone;
    return { paymentId: created.id, due: DUE, isConfirmedAlone, hearsOfFound, evm, script, asked };
  }

  async payment(id: string): Promise<ShownPayment> {
    return call<ShownPayment>(this.baseUrl, this.token, `/api/payment/${id}`);
  }
}

/** The output script of a version 0 witness address (BIP173), read without the gateway's own code. */
function scriptOf(address: string): Buffer {
  const { words } = bech32.decode(address as `${string}1${string}`);
  const [version, ...program] = words;
  if (version !== 0) throw new Error(`${address} is not of witness version 0`);
  const hash = bech32.fromWords(program);
  return Buffer.from([0, hash.length, ...hash]);
}

/** GET without a body, POST with one. @throws Error unless it goes well */
async function call<T>(baseUrl: string, token: string | null, path: string, body?: object): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: stringifyExact(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return (parseExact(text) as { data: T }).data;
}
