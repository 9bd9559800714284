import { randomInt } from 'node:crypto';
import type { Payment, PaymentListItem } from '../../../sdk/src/api-types.js';
import { GatewayError } from '../../../sdk/src/errors.js';
import { Gateway } from '../../../sdk/src/gateway.js';
import { type Clock, SystemClock, toIsoSeconds } from '../../platform/kernel/clock.pure.js';
import { DevChains, type Facts } from '../faucet/dev-chains.js';
import { FaucetError } from '../faucet/dev-wallet.js';
import { Sandbox, type SandboxAction } from './sandbox.js';
import { type ReceivedWebhook, WebhookInbox } from './webhook-inbox.js';

/** What the shop knows of its gateway, as any merchant's server does. */
export interface ShopFacts extends Facts {
  oauth: { tokenUrl: string; clientId: string; clientSecret: string };
  user: { email: string; password: string };
  shop: ShopAccount;
}

/** The shop's payment application. */
export interface ShopAccount {
  /** Where the shop is open, without a slash at its end. */
  url: string;
  applicationId: string;
  clientId: string;
  clientToken: string;
  secret: string;
}

/** Cents. */
const PRICE = 2_500;
const SHOWN_ORDERS = 8;
/** Lines that are kept of what was done to an order. */
const KEPT_LINES = 6;
const KEPT_ORDERS = 200;

/** What a button did. */
export interface LogLine {
  text: string;
  /** Where it goes on, for a person. */
  link: string | null;
}

/** An order as the desk shows it. */
export interface DeskView {
  payment: Payment;
  webhooks: readonly ReceivedWebhook[];
  /** What the buttons did, newest first. */
  log: readonly LogLine[];
}

/** A shop of the development profile. It uses the merchant API and the client package as any shop would. */
export class CoffeeShop {
  readonly inbox: WebhookInbox;
  private readonly gateway: Gateway;
  /** The list of payments needs an OAuth2 token. */
  private readonly owner: Gateway;
  private readonly sandbox: Sandbox;
  private token: { text: string; until: number } | null = null;
  private readonly logs = new Map<string, LogLine[]>();

  constructor(
    readonly facts: ShopFacts,
    private readonly clock: Clock = new SystemClock(),
  ) {
    const { baseUrl, shop } = facts;
    this.inbox = new WebhookInbox(shop.secret);
    // A developer should see a failure at once, so it is not retried for long.
    this.gateway = new Gateway({ baseUrl, token: shop.clientToken, retries: 1 });
    this.owner = new Gateway({ baseUrl, token: () => this.accessToken(), retries: 1 });
    this.sandbox = new Sandbox(new DevChains(facts));
  }

  /** An order number that is not in use yet. */
  newReference(): string {
    return `COFFEE-${randomInt(100_000, 1_000_000)}`;
  }

  /** @param linkSeconds how long its link is valid; null: as long as usual @returns the id of the new payment */
  async order(linkSeconds: number | null): Promise<string> {
    const reference = this.newReference();
    const { clientId } = this.facts.shop;
    const { id } = await this.gateway.payments.create(
      {
        amount: PRICE,
        currencyCode: 'USD',
        reference,
        referenceLabel: 'A bag of coffee',
        clientId,
        ...(linkSeconds !== null && { expiresAt: this.inSeconds(linkSeconds) }),
      },
      { idempotencyKey: `${reference}-attempt-1` },
    );
    return id;
  }

  private inSeconds(seconds: number): string {
    return toIsoSeconds(new Date(this.clock.now().getTime() + seconds * 1_000));
  }

  /** Null: there is no such payment, or it is another application's. */
  async findOrder(id: string): Promise<DeskView | null> {
    const payment = await this.findPayment(id);
    return payment && { payment, webhooks: this.inbox.of(id), log: this.logs.get(id) ?? [] };
  }

  /** Newest first. */
  async latestOrders(): Promise<PaymentListItem[]> {
    const { applicationId } = this.facts.shop;
    const list = this.owner.payments.list({ paymentApplicationId: applicationId, perPage: SHOWN_ORDERS });
    return (await list.page()).items;
  }

  async accept(payment: Payment, transferId: string | null): Promise<void> {
    await this.record(payment.id, async () => {
      await this.gateway.payments.accept(payment.id, transferId === null ? {} : { transferId });
      return { text: 'Accepted.', link: null };
    });
  }

  async refund(payment: Payment): Promise<void> {
    await this.record(payment.id, async () => {
      const { payoutAmount, claimUrl } = await this.gateway.payments.refunds.create(payment.id);
      const text = `A refund of ${payoutAmount.formatted} waits for an address. The customer enters it here:`;
      return { text, link: claimUrl };
    });
  }

  async play(payment: Payment, action: SandboxAction): Promise<void> {
    await this.record(payment.id, async () => {
      return { text: await this.sandbox.run(action, payment), link: null };
    });
  }

  /** Logs what was done or, if it could not be done, the reason. */
  private async record(id: string, work: () => Promise<LogLine>): Promise<void> {
    let line: LogLine;
    try {
      line = await work();
    } catch (error) {
      if (!(error instanceof FaucetError) && !(error instanceof GatewayError)) throw error;
      line = { text: `Not done: ${error.message}`, link: null };
    }
    this.logs.set(id, [line, ...(this.logs.get(id) ?? [])].slice(0, KEPT_LINES));
    const [oldest] = this.logs.keys();
    if (oldest !== undefined && this.logs.size > KEPT_ORDERS) this.logs.delete(oldest);
  }

  private async findPayment(id: string): Promise<Payment | null> {
    try {
      return await this.gateway.payments.get(id);
    } catch (error) {
      if (error instanceof GatewayError && [404, 422].includes(error.status)) return null;
      throw error;
    }
  }

  /** Renewed a minute before its end. */
  private async accessToken(): Promise<string> {
    const now = performance.now();
    if (this.token && now < this.token.until) return this.token.text;
    const { tokenUrl, clientId, clientSecret } = this.facts.oauth;
    const answer = await fetch(tokenUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: text, expires_in: seconds = 0 } = (await answer.json()) as {
      access_token?: string;
      expires_in?: number;
    };
    if (text === undefined) throw new GatewayError('unauthorized', `no access token: ${answer.status}`);
    this.token = { text, until: now + (seconds - 60) * 1_000 };
    return text;
  }
}
