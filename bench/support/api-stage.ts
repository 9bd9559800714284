import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startRatesStub } from '../../src/demo/rates-stub.js';
import { startAnvil } from '../../test/support/anvil.js';
import { EVM_XPUB } from '../../test/support/shop.js';
import { PgBouncer } from '../../test/support/pgbouncer.js';
import { asGateway, setRoleTimeouts } from '../../test/support/test-server.js';
import { ApiServer, type Call } from './api-server.js';
import { atTheEnd } from './cleanup.js';
import { BenchDatabase } from './database.js';

/** No limit is reached, and everything that a customer needs is there. */
const ENV = {
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_USER_READS: '0',
  RATE_LIMIT_USER_WRITES: '0',
  RATE_LIMIT_PAYMENT: '0',
  RATE_LIMIT_ADDRESS: '0',
  RATE_LIMIT_POLLS: '0',
  RATE_LIMIT_ADDRESS_POLLS: '0',
  MAX_OPEN_PAYMENTS_PER_USER: '10000000',
  MAX_UNPAID_PAYMENTS_PER_USER: '10000000',
  WALLET_EVM_XPUB: EVM_XPUB,
  DATABASE_POOL_SIZE: '10',
  // It would read a filled history while that is measured.
  VERIFY_INTERVAL: '0',
};

/** A gateway with a merchant, a chain and rates. */
export class ApiStage {
  private constructor(
    readonly database: BenchDatabase,
    private readonly url: string,
    private readonly env: Record<string, string>,
    readonly gateway: ApiServer,
  ) {}

  /** @param settings configuration of the gateway beside the usual one */
  static async open(settings: Record<string, string> = {}): Promise<ApiStage> {
    const [chain, rates, database] = await Promise.all([
      startAnvil(),
      startRatesStub(),
      BenchDatabase.start(),
    ]);
    atTheEnd(() => rates.stop());
    atTheEnd(() => chain.stop());
    rates.setPrice('ETH', 'USD', '2000');
    const url = await database.clone();
    const env = {
      ...ENV,
      // Of all instances.
      APP_KEYS: `b1:${randomBytes(32).toString('base64')}`,
      CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
      ...settings,
      CHAIN_ETHEREUM_RPC_URL: chain.url,
      CHAIN_ETHEREUM_CHAIN_ID: String(chain.chainId),
      RATES_KRAKEN_URL: `${rates.url}/kraken`,
      RATES_COINBASE_URL: `${rates.url}/coinbase`,
    };
    return new ApiStage(database, url, env, await ApiServer.start('gateway', database, url, env));
  }

  /** One more API process of the same gateway. @param pooler between it and the database, in transaction mode */
  instance(pooler?: PgBouncer): Promise<ApiServer> {
    return ApiServer.start('instance', this.database, this.url, {
      ...this.env,
      ...(pooler && {
        DATABASE_URL: pooler.urlOf(asGateway(this.url)),
        DATABASE_POOL_MODE: 'transaction',
      }),
      merchant: JSON.stringify(this.gateway.merchant),
    });
  }

  async pooler(): Promise<PgBouncer> {
    await setRoleTimeouts(this.url);
    const pooler = await PgBouncer.start(this.url, 'transaction');
    atTheEnd(() => pooler.stop());
    return pooler;
  }

  /** Another server on the same database, with the same merchant. */
  beside(kind: 'bare' | 'group' | 'nest-group' | 'save'): Promise<ApiServer> {
    return ApiServer.start(kind, this.database, this.url, { ...this.gateway.merchant });
  }

  /** Writes rows behind the back of the gateway. */
  fill(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    return this.database.change(this.url, work);
  }

  /** Waits until the gateway has added all that was noted to its counts. */
  async untilCounted(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    while ((await client.query('select from payment_count_changes limit 1')).rowCount) await delay(500);
    await client.query('vacuum analyze payment_counts, payment_count_changes');
    await client.end();
  }

  /** Creates a payment of 100.00 USD. @param key of idempotency */
  create(i: number, key?: string): Call {
    const { clientId } = this.gateway.merchant;
    return {
      method: 'POST',
      path: '/api/payment/checkout',
      headers: {
        ...this.authorization,
        'Content-Type': 'application/json',
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      body: JSON.stringify({
        amount: 10_000,
        currencyCode: 'USD',
        reference: `order ${i}`,
        referenceLabel: 'Two bags of coffee',
        clientId,
      }),
      status: 201,
    };
  }

  get authorization(): { Authorization: string } {
    return { Authorization: `Bearer ${this.gateway.merchant.token}` };
  }
}
