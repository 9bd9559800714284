import { ChainHealthService } from '../../src/chains/chain-health.service.js';
import { freePort } from './free-port.js';
import { authorizeUrl, createClient, createUser } from './oauth-api.js';
import { RefundsApi } from './refunds-api.js';
import { CONFIRMATIONS, type CreatedPayment, type Shop, type ShopApplication } from './shop.js';
import { TwoChains } from './two-chains.js';

/** Requests a minute to one payment's page: more than a test needs, few enough to be used up by one. */
const PAGE_LIMIT = 100;

/** A shop on two real chains, and what brings a payment of it into any state that a customer can meet. */
export class CheckoutStage {
  private constructor(
    readonly chains: TwoChains,
    readonly application: ShopApplication,
    readonly refunds: RefundsApi,
    /** Where a program sends somebody to sign in. */
    readonly signInUrl: string,
    readonly user: { email: string },
  ) {}

  /** The gateway's own links lead to it, since browsers follow them. */
  static async open(): Promise<CheckoutStage> {
    const port = await freePort();
    const chains = await TwoChains.open({
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      RATE_LIMIT_PAYMENT: String(PAGE_LIMIT),
    });
    const { shop } = chains;
    const application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
    const clientId = await createClient(shop.gateway, { name: 'Shop desk' });
    return new CheckoutStage(
      chains,
      application,
      new RefundsApi(shop, application),
      `${shop.gateway.baseUrl}${authorizeUrl(clientId)}`,
      await createUser(shop.gateway),
    );
  }

  get shop(): Shop {
    return this.chains.shop;
  }

  close(): Promise<void> {
    return this.chains.close();
  }

  /** 60 dollars: 0.03 ETH, 60 USDT. */
  create(fields: Record<string, unknown> = {}): Promise<CreatedPayment> {
    return this.shop.createPayment(this.application, {
      amount: 6_000,
      reference: 'ORDER-1042',
      referenceLabel: 'Two bags of Sidamo',
      redirectUrl: 'https://shop.example/thanks',
      ...fields,
    });
  }

  /** A payment whose link ends in ten minutes. */
  createShort(): Promise<CreatedPayment> {
    const now = this.shop.gateway.clock.now().getTime();
    return this.create({ expiresAt: new Date(now + 600_000).toISOString() });
  }

  /** Sends a share of what a payment asks for in ether, and mines. @param percent of it */
  async pay(payment: CreatedPayment, percent = 100n, blocks = CONFIRMATIONS): Promise<CreatedPayment> {
    const instructions = await this.shop.instructions(payment);
    await this.shop.send(instructions, (BigInt(instructions.amount.atomic) * percent) / 100n);
    await this.shop.mine(blocks);
    return payment;
  }

  async cancel(payment: CreatedPayment): Promise<CreatedPayment> {
    await this.shop.call('POST', `/api/payment/${payment.id}/cancel`, this.application.clientToken);
    return payment;
  }

  /** Chains cannot be reached, until {@link recover}. */
  async loseChains(...slugs: string[]): Promise<void> {
    for (const slug of slugs) await this.shop.gateway.get(ChainHealthService).sawTrouble(slug, 'gone', null);
    await this.shop.wait(61);
  }

  /** No source has rates, until {@link recover}. */
  async loseRates(): Promise<void> {
    for (const source of ['kraken', 'coinbase'] as const) this.shop.rates.setMode(source, 'down');
    await this.shop.wait(1_200);
  }

  async recover(): Promise<void> {
    for (const source of ['kraken', 'coinbase'] as const) this.shop.rates.setMode(source, 'ok');
    // Rates are kept for 20 s.
    await this.shop.wait(60);
    await this.chains.settle();
  }

  /** Uses up what a minute allows for the page of a payment. @param url of the page */
  async useUpLimit(url: string): Promise<void> {
    for (let asked = 0; asked <= PAGE_LIMIT; asked++) await (await fetch(url)).arrayBuffer();
  }
}
