import { parseExact } from '../../src/platform/kernel/exact-json.pure.js';
import { ChainWatcherService } from '../../src/chain-watcher/chain-watcher.service.js';
import { CheckoutStreams } from '../../src/checkout/checkout-streams.service.js';
import type { PaymentInstructionsContract } from '../../src/checkout/payment-instructions.contract.js';
import { type RatesStub, startRatesStub } from '../../src/demo/rates-stub.js';
import { PaymentPresenter } from '../../src/payments/payment-presenter.service.js';
import { PaymentSweep } from '../../src/payments/payment-sweep.service.js';
import { WebhookDispatcher } from '../../src/webhooks/webhook-dispatcher.service.js';
import { type AnvilOptions, type Hex, startAnvil, type TestChain } from './anvil.js';
import { sendRequest } from './api-request.js';
import { watchWebhook } from './contract/watch-contract.js';
import { type CreatedPayment, WEBHOOK_SECRET } from './merchant-api.js';
import { MerchantServer, type WebhookPayload } from './merchant-server.js';
import { createOwnerWithClient, type OwnerWithClient } from './principals.js';
import type { TestClock } from './test-clock.js';
import { startTestGateway, type TestGateway } from './test-gateway.js';
import { verifyWebhook } from './webhook-verifiers.js';

/** Account key m/44'/60'/0' of the BIP39 test words "abandon … about". */
export const EVM_XPUB =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt';
export { type CreatedPayment, WEBHOOK_SECRET as SECRET };
/** Confirmations required on Ethereum (specification/chains.md#confirmations). */
export const CONFIRMATIONS = 12;

export type PaymentDto = ReturnType<PaymentPresenter['payment']>;

/** What the API answers to a call. */
export interface Answer<T = unknown> {
  status: number;
  body: { data: T; message?: string; code?: string; errors?: Record<string, string[]> };
}

/** One payment application of the shop, with a client token. */
export interface ShopApplication {
  id: string;
  clientId: string;
  site: { id: string };
  clientToken: string;
}

/**
 * A merchant with everything around: gateway, chain, rates, webhook endpoint. Loops stand still;
 * {@link Shop.settle} runs them until nothing is left to do.
 */
export class Shop {
  /** Client tokens do not expire when a test moves the clock. */
  private readonly tokenOf = new Map<string, string>();
  private readonly verified: WebhookPayload[] = [];

  private constructor(
    public gateway: TestGateway,
    readonly chain: TestChain,
    readonly tokens: { USDT: Hex; USDC: Hex },
    readonly rates: RatesStub,
    readonly merchant: MerchantServer,
    /** Signed in for an hour. */
    public owner: OwnerWithClient,
  ) {}

  /** @param rpcUrl puts something between gateway and node */
  static async open(
    env: Record<string, string> = {},
    rpcUrl: (node: string) => Promise<string> = async (node) => node,
    { anvil, clock }: { anvil?: AnvilOptions; clock?: TestClock } = {},
  ): Promise<Shop> {
    const [chain, rates, merchant] = await Promise.all([
      startAnvil(anvil),
      startRatesStub(),
      MerchantServer.start(),
    ]);
    const [usdt, usdc] = [await chain.deployToken('USDT'), await chain.deployToken('USDC')];
    rates.setPrice('ETH', 'USD', '2000');
    rates.setPrice('USDT', 'USD', '1');
    rates.setPrice('USDC', 'USD', '1');
    const settings = {
      CHAIN_ETHEREUM_RPC_URL: await rpcUrl(chain.url),
      CHAIN_ETHEREUM_CHAIN_ID: String(chain.chainId),
      CHAIN_ETHEREUM_TOKENS: `USDT:${usdt.address}:6,USDC:${usdc.address}:6`,
      RATES_KRAKEN_URL: `${rates.url}/kraken`,
      RATES_COINBASE_URL: `${rates.url}/coinbase`,
      WALLET_EVM_XPUB: EVM_XPUB,
      ...env,
    };
    const gateway = await startTestGateway(settings, clock);
    merchant.onReceived = watchWebhook;
    merchant.trust(WEBHOOK_SECRET, gateway.clock);
    const tokens = { USDT: usdt.address, USDC: usdc.address };
    const shop = new Shop(gateway, chain, tokens, rates, merchant, await createOwnerWithClient(gateway));
    await shop.watch();
    return shop;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await Promise.all([this.chain.stop(), this.rates.stop(), this.merchant.down()]);
  }

  /** The gateway dies and comes back; what happens while it is down is the callback's. */
  async whileDown(happen: () => Promise<void>): Promise<void> {
    await this.gateway.close();
    await happen();
    this.gateway = await this.gateway.restart();
  }

  /** JSON through the front door, integers exact. */
  async call<T>(method: string, path: string, token: string | null, body?: unknown): Promise<Answer<T>> {
    const url = path.startsWith('http') ? path : `${this.gateway.baseUrl}${path}`;
    const { status, text } = await sendRequest(url, { method, token, body });
    return { status, body: (text === '' ? {} : parseExact(text)) as Answer<T>['body'] };
  }

  /** An application with a client token for everything. @param settings fields of the create body */
  async application(settings: Record<string, unknown> = {}): Promise<ShopApplication> {
    const { accessToken } = this.owner;
    const { secret } = settings;
    if (typeof secret === 'string') this.merchant.trust(secret, this.gateway.clock);
    const fields = { name: 'Test shop', secret: WEBHOOK_SECRET, callbackUrl: this.merchant.url, ...settings };
    const created = await this.call<ShopApplication>(
      'POST',
      '/api/payment-applications',
      accessToken,
      fields,
    );
    if (created.status !== 201) throw new Error(`no application: ${JSON.stringify(created.body)}`);
    const path = `/api/payment-applications/${created.body.data.id}/client-tokens`;
    const token = await this.call<{ token: string }>('POST', path, accessToken, {
      label: 'Server',
      scopes: ['*'],
    });
    return { ...created.body.data, clientToken: token.body.data.token };
  }

  /** @param fields of the create body; default: 100.00 USD */
  async createPayment(
    application: ShopApplication,
    fields: Record<string, unknown> = {},
  ): Promise<CreatedPayment> {
    const body = {
      amount: 10_000,
      currencyCode: 'USD',
      reference: 'ORDER-1',
      referenceLabel: 'Order #1',
      clientId: application.clientId,
      ...fields,
    };
    const created = await this.call<CreatedPayment>(
      'POST',
      '/api/payment/checkout',
      application.clientToken,
      body,
    );
    if (created.status !== 201) throw new Error(`no payment: ${JSON.stringify(created.body)}`);
    this.tokenOf.set(created.body.data.id, application.clientToken);
    return created.body.data;
  }

  async payment({ id }: { id: string }): Promise<PaymentDto> {
    const answer = await this.call<PaymentDto>('GET', `/api/payment/${id}`, this.tokenOf.get(id) ?? null);
    if (answer.status !== 200) throw new Error(`no payment: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  }

  async status(payment: { id: string }): Promise<string> {
    return (await this.payment(payment)).status;
  }

  /** A public checkout call with the signature of the payment's own link. */
  async checkout<T>(payment: CreatedPayment, path: string): Promise<Answer<T>> {
    return this.call<T>('GET', `/api/checkout/${path}${new URL(payment.checkoutUrl).search}`, null);
  }

  /** The instructions of one method. */
  async instructions(
    payment: CreatedPayment,
    method = 'eth',
    provider = 'ethereum',
  ): Promise<PaymentInstructionsContract> {
    const path = `payment/${payment.id}/provider/${provider}/method/${method}`;
    const answer = await this.checkout<PaymentInstructionsContract>(payment, path);
    if (answer.status !== 200) throw new Error(`no instructions: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  }

  /** Hands in what the instructions ask for, or another amount in smallest units; unmined. */
  async send(
    instructions: PaymentInstructionsContract,
    amount = BigInt(instructions.amount.amount),
  ): Promise<Hex> {
    const to = instructions.address as Hex;
    return instructions.token === null
      ? this.chain.sendEth({ to, value: amount })
      : this.chain.sendToken({ token: instructions.token.contractAddress as Hex, to, value: amount });
  }

  /** Mines, then runs every loop until nothing is left to do. */
  async mine(blocks = 1): Promise<void> {
    await this.chain.mine(blocks);
    await this.settle();
  }

  /** The watcher alone. */
  async watch(): Promise<void> {
    await this.gateway.get(ChainWatcherService).drain('ethereum');
  }

  async settle(): Promise<void> {
    await this.watch();
    const sweep = this.gateway.get(PaymentSweep);
    while (await sweep.runOnce()) continue;
    await this.deliver();
    await this.tell();
  }

  /** Open checkout pages learn what has changed. */
  async tell(): Promise<void> {
    const streams = this.gateway.get(CheckoutStreams);
    while (await streams.runOnce()) continue;
  }

  /** Webhooks alone. */
  async deliver(): Promise<void> {
    const webhooks = this.gateway.get(WebhookDispatcher);
    // An acknowledged payment.received gives birth to payment.completed: one more round.
    for (let round = 0; round < 3; round++) while (await webhooks.runOnce()) continue;
    this.verifyArrivals();
  }

  /** Moves gateway and chain together. */
  async wait(seconds: number): Promise<void> {
    this.gateway.clock.advanceSeconds(seconds);
    await this.chain.rpc('evm_increaseTime', [seconds]);
  }

  /** Webhooks that the merchant got for a payment, each verified with both signatures as it came. */
  webhooks({ id }: { id: string }): WebhookPayload[] {
    return this.verified.filter(({ payment }) => payment.id === id);
  }

  private verifyArrivals(): void {
    const { clock } = this.gateway;
    for (const request of this.merchant.requests.slice(this.verified.length))
      this.verified.push(verifyWebhook(request, WEBHOOK_SECRET, { clock }));
  }

  /** Their names, in the order of arrival. */
  events(payment: { id: string }): string[] {
    return this.webhooks(payment).map(({ event }) => event);
  }
}
