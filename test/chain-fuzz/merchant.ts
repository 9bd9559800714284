import { bech32 } from '@scure/base';
import { STANDARD_EVENTS } from '../../src/applications/event-types.pure.js';
import { type ApiRequest, type ApiResponse, sendRequest } from '../support/api-request.js';
import type { MerchantClient } from '../support/built-cli.js';
import { AMOUNT_DUE, MerchantApi, type ShownPayment } from '../support/merchant-api.js';
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

/** A merchant with two applications, and the customers of both. */
export class Merchant {
  private constructor(
    private readonly api: MerchantApi,
    /** Client ids: with a webhook that is never delivered, and without one. */
    private readonly clientIds: readonly [string, string],
  ) {}

  static async open(baseUrl: string, client: MerchantClient): Promise<Merchant> {
    const api = new MerchantApi((path, request) => send(baseUrl + path, request));
    await api.signIn(client);
    const announced = await api.createApplication({
      name: 'Announced',
      allowOverpay: true,
      // Nobody listens there.
      callbackUrl: 'https://127.0.0.1:65535/webhook',
      events: [...STANDARD_EVENTS, 'payment.found', 'payment.updated'],
    });
    const silent = await api.createApplication({
      name: 'Without a webhook',
      allowOverpay: true,
      events: [...STANDARD_EVENTS, 'payment.updated'],
    });
    return new Merchant(api, [announced, silent]);
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
    const payment = await this.api.createPayment(this.clientIds[isConfirmedAlone ? 1 : 0], reference);
    const asked = new Map<AssetName, bigint>();
    let [evm, script]: [Payee['evm'], Payee['script']] = [null, null];
    for (const method of methods) {
      const provider = method === 'BTC' ? 'bitcoin' : 'ethereum';
      const { address, amount } = await this.api.instructions(payment, method, provider);
      asked.set(method, amount);
      if (method === 'BTC') script = scriptOf(address);
      else evm = `0x${address.slice(2).toLowerCase()}`;
    }
    const hearsOfFound = !isConfirmedAlone;
    return {
      paymentId: payment.id,
      due: AMOUNT_DUE,
      isConfirmedAlone,
      hearsOfFound,
      hearsOfUpdates: true,
      evm,
      script,
      asked,
    };
  }

  payment(id: string): Promise<ShownPayment> {
    return this.api.payment(id);
  }

  /** With the merchant's token. */
  get(path: string): Promise<{ text: string }> {
    return this.api.call(path);
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

/** @throws Error unless it succeeds the first time */
async function send(url: string, request?: ApiRequest): Promise<ApiResponse> {
  const response = await sendRequest(url, request);
  if (response.status >= 300) throw new Error(`${url}: ${response.status} ${response.text}`);
  return response;
}
