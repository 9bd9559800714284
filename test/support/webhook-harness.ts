import { randomBytes, randomUUID } from 'node:crypto';
import { ApplicationsService } from '../../src/applications/applications.service.js';
import type { CreateApplicationContract } from '../../src/applications/applications.contract.js';
import type { Sql } from '../../src/platform/database/sql.js';
import { Draft } from '../../src/platform/web/contract/read-contract.js';
import type { EventType } from '../../src/applications/event-types.pure.js';
import { PAYMENT_EVENTS } from '../../src/payments/payment-event.entity.js';
import { RowAuthenticator } from '../../src/platform/integrity/row-authenticator.service.js';
import { type MatchedTransfer, TransfersService } from '../../src/payments/transfers/transfers.service.js';
import { WebhookDispatcher } from '../../src/webhooks/webhook-dispatcher.service.js';
import { MerchantServer } from './merchant-server.js';
import { sealPlanted } from './seal-planted.js';
import { EVM_XPUB } from './shop.js';
import type { TestClock } from './test-clock.js';
import { startTestGateway, type TestGateway } from './test-gateway.js';

/** A merchant with an endpoint that is really called. */
export interface Merchant {
  userId: string;
  applicationId: string;
  secret: string;
  server: MerchantServer;
}

/** A row of webhook_deliveries with its attempts, oldest first. */
export interface DeliveryRow {
  id: string;
  state: string;
  attempts: number;
  next_attempt_at: Date | null;
  lease_until: Date | null;
  last_error: string | null;
  log: {
    number: number;
    url: string;
    http_status: number | null;
    error: string | null;
    response_body: string | null;
  }[];
}

const CHAIN = 'ethereum';
/** Its node is not used: blocks are made up below, and one is enough. */
const CHAIN_ENV = {
  CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
  CHAIN_ETHEREUM_CONFIRMATIONS: '1',
  WALLET_EVM_XPUB: EVM_XPUB,
};
/** What one of the payments below asks, and its quote in wei. */
const PRICE_CENTS = 10_000n;
const QUOTED_WEI = 1_000_000_000_000_000_000n;

/** The webhooks of a gateway on a database of its own, between real payments and real endpoints. */
export class WebhookHarness {
  readonly merchants: Merchant[] = [];
  private readonly others: TestGateway[] = [];
  private height = 100;

  private constructor(readonly gateway: TestGateway) {}

  static async start(env: Record<string, string> = {}): Promise<WebhookHarness> {
    return new WebhookHarness(await startTestGateway({ ...CHAIN_ENV, ...env }));
  }

  /** On what another one has left; its merchants and their endpoints stay that one's. */
  static async goOn(databaseUrl: string, clock: TestClock): Promise<WebhookHarness> {
    return new WebhookHarness(await startTestGateway(CHAIN_ENV, clock, databaseUrl));
  }

  /** One more process on the same database, at the same time. */
  async addGateway(env: Record<string, string> = {}): Promise<TestGateway> {
    const other = await startTestGateway({ ...CHAIN_ENV, ...env }, this.clock, this.gateway.databaseUrl);
    this.others.push(other);
    return other;
  }

  get clock(): TestClock {
    return this.gateway.clock;
  }

  get sql(): Sql {
    return this.gateway.sql;
  }

  get dispatcher(): WebhookDispatcher {
    return this.gateway.get(WebhookDispatcher);
  }

  async stop(): Promise<void> {
    // Endpoints first, so that nothing waits for one that hangs.
    for (const { server } of this.merchants) await server.down();
    for (const gateway of [...this.others, this.gateway]) await gateway.close();
  }

  async addMerchant(
    fields: Partial<CreateApplicationContract> = {},
    userId: string = randomUUID(),
  ): Promise<Merchant> {
    const server = await MerchantServer.start();
    const secret = fields.secret ?? `secret-${randomBytes(12).toString('hex')}`;
    const { id: applicationId } = await this.gateway.get(ApplicationsService).create(
      userId,
      Draft.of({
        name: 'Shop',
        callbackUrl: server.url,
        ...fields,
        secret,
      } as CreateApplicationContract),
    );
    const merchant = { userId, applicationId, secret, server };
    server.trust(secret, this.clock);
    this.merchants.push(merchant);
    return merchant;
  }

  /** An open payment. */
  async addPayment({ userId, applicationId }: Merchant): Promise<string> {
    const id = randomUUID();
    const now = this.clock.now();
    await this.sql.query(
      `with created as (
         insert into payments (id, user_id, application_id, reference, reference_label, currency_code,
           settlement_currency_code, amount, expires_at, created_at)
         values ($1, $2, $3, 'ORDER-1', 'Größe 42 – 日本 🎉', 'USD', 'USD', $4, $5::timestamptz + interval '1 day', $5)
         returning id
       )
       insert into payment_status_history (payment_id, user_id, seq, to_status, reason, created_at)
       select id, $2, 1, 'OPEN', 'created', $5 from created`,
      [id, userId, applicationId, PRICE_CENTS, now],
    );
    await sealPlanted(this.gateway);
    return id;
  }

  /** An event with a body of its own; `seq` counts from 2. Returns its id. */
  async addEvent(
    merchant: Merchant,
    paymentId: string,
    seq = 2,
    type: EventType = 'payment.underpaid',
  ): Promise<string> {
    const id = randomUUID();
    const body = `{"id":"${id}","event":"${type}","n":100000000000000000001,  "text":"Größe 🎉"}`;
    const { userId, applicationId } = merchant;
    const createdAt = this.clock.now();
    const event = { id, paymentId, userId, applicationId, seq, type, body, createdAt, testPaymentId: null };
    const mac = this.gateway.get(RowAuthenticator).of(PAYMENT_EVENTS).mac(event);
    await this.sql.query(
      `with history as (
         insert into payment_status_history (payment_id, user_id, seq, from_status, to_status, reason, created_at)
         select $1, user_id, $2, to_status, case to_status when 'OPEN' then 'FOUND' else 'OPEN' end, 'test', $3
         from payment_status_history where payment_id = $1 and seq = $2 - 1
       )
       insert into payment_events (id, payment_id, user_id, application_id, seq, type, body, created_at, mac)
       values ($4, $1, $5, $6, $2, $7, $8, $3, $9)`,
      [paymentId, seq, createdAt, id, userId, applicationId, type, body, mac],
    );
    await sealPlanted(this.gateway);
    return id;
  }

  /** A payment of its own with one event. */
  async addPaymentEvent(merchant: Merchant): Promise<string> {
    return this.addEvent(merchant, await this.addPayment(merchant));
  }

  /**
   * Pays a payment, confirmed at once: the real road to RECEIVED and its payment.received.
   * @param part of what is due, in percent
   */
  async pay(merchant: Merchant, paymentId: string, part = 100n): Promise<void> {
    const [known] = await this.sql.query<{ id: string }>(
      'select id from deposit_addresses where payment_id = $1',
      [paymentId],
    );
    const depositAddressId = known?.id ?? (await this.addDepositAddress(merchant, paymentId));
    await this.applyBlock([
      {
        depositAddressId,
        paymentId,
        txHash: `0x${randomBytes(32).toString('hex')}`,
        ordinal: 'value',
        asset: 'native',
        currencyCode: 'ETH',
        assetDecimals: 18,
        amount: (QUOTED_WEI * part) / 100n,
      },
    ]);
  }

  /** A block without anything for us. */
  async mine(): Promise<void> {
    await this.applyBlock([]);
  }

  /** A fork takes back every block so far: what was received but not acknowledged no longer is. */
  async reorganize(): Promise<void> {
    await this.sql.transaction(() => this.gateway.get(TransfersService).rollBack(CHAIN, 0, []));
  }

  async status(paymentId: string): Promise<string> {
    const [row] = await this.sql.query<{ status: string }>('select status from payments where id = $1', [
      paymentId,
    ]);
    return row?.status ?? 'missing';
  }

  /** Runs turns until nothing is due any more. */
  async drain(): Promise<void> {
    while (await this.dispatcher.runOnce()) continue;
  }

  /** Lets time pass, then runs turns until nothing is due. */
  async pass(seconds: number): Promise<void> {
    this.clock.advanceSeconds(seconds);
    await this.drain();
  }

  /** The delivery of an event, or of the payment's event of a type. */
  async delivery(event: string, type?: string): Promise<DeliveryRow> {
    const [row] = await this.sql.query<DeliveryRow>(
      `select d.id, d.state, d.attempts, d.next_attempt_at, d.lease_until, d.last_error,
         (select coalesce(json_agg(a order by a.number), '[]') from webhook_attempts a where a.delivery_id = d.id) as log
       from webhook_deliveries d where d.event_id::text = $1 or (d.payment_id::text = $1 and d.type = $2)`,
      [event, type ?? null],
    );
    if (!row) throw new Error(`no delivery of ${event}`);
    return row;
  }

  private async applyBlock(transfers: MatchedTransfer[]): Promise<void> {
    this.height += 1;
    const block = { height: this.height, hash: `0x${this.height}`, time: this.clock.now() };
    const blocks = {
      chain: CHAIN,
      height: this.height,
      transfers: transfers.map((transfer) => ({ ...transfer, block })),
    };
    await this.sql.transaction(() => this.gateway.get(TransfersService).applyBlocks(blocks));
  }

  private async addDepositAddress({ userId, applicationId }: Merchant, paymentId: string): Promise<string> {
    const [wallet, address] = [randomUUID(), randomUUID()];
    const key = randomBytes(20);
    const now = this.clock.now();
    await this.sql.query(
      `with wallet as (
         insert into wallets (id, application_id, user_id, family, sealed_extended_public_key, masked_key, fingerprint,
           key_hash, next_index, created_at, retired_at, mac)
         values ($1, $2, $3, 'evm', 'sealed', 'xpub...', '00000000', $4, 1, $5, $5, 'm1.t1.')
       ), quote as (
         insert into quotes (id, payment_id, user_id, chain, asset, currency_code, asset_decimals, priced_amount,
           asset_amount, rate, rate_source, rate_inputs, locked_at, expires_at)
         values ($6, $7, $3, $8, 'native', 'ETH', 18, $9, $10, '100', 'test', '[]', $5, $5::timestamptz + interval '15 min')
       )
       insert into deposit_addresses (id, payment_id, user_id, family, key, address, wallet_id, derivation_index, created_at,
         mac)
       values ($11, $7, $3, 'evm', $12, $13, $1, 0, $5, 'm1.t1.')`,
      [
        wallet,
        applicationId,
        userId,
        randomBytes(32),
        now,
        randomUUID(),
        paymentId,
        CHAIN,
        PRICE_CENTS,
        QUOTED_WEI,
        address,
        key,
        `0x${key.toString('hex')}`,
      ],
    );
    await sealPlanted(this.gateway);
    return address;
  }
}
