import { ChainWatcherService } from '../../src/chain-watcher/chain-watcher.service.js';
import type { PaymentInstructionsContract } from '../../src/checkout/payment-instructions.contract.js';
import type { EngineHarness } from './engine-harness.js';
import type { CreatedPayment, PaymentDto, ShopApplication } from './shop.js';

/** A payment of 100.00 USD that a customer was shown an address for. */
export interface Asked {
  payment: CreatedPayment;
  instructions: PaymentInstructionsContract;
  key: Buffer;
  /** Smallest units of the chain's native coin. */
  due: bigint;
}

export interface TransferRow {
  tx_hash: string;
  ordinal: string;
  state: string;
  amount: string;
  block_height: string | null;
}

const CURSOR = 'select height, hash, halt_reason from chain_cursors where chain = $1';
const TRANSFERS = `
  select tx_hash, ordinal, state, amount, block_height from payment_transfers
  where payment_id = $1 order by seen_at, id`;
/** What the gateway believes each of its keys to have got in blocks, in the native coin. */
const CREDITED = `
  select d.key, coalesce(sum(t.amount), 0) as amount
  from deposit_addresses d
  left join payment_transfers t on t.deposit_address_id = d.id and t.chain = $1 and t.asset = 'native'
    and t.block_height is not null and t.state in ('pending', 'confirmed')
  where d.family = $2 group by d.key order by d.key`;
const ABOVE_CURSOR = `
  select count(*) as n from payment_transfers t join chain_cursors c on c.chain = t.chain
  where t.chain = $1 and t.block_height > c.height`;

/** Drives one chain of a gateway, and holds what the gateway says against what the chain says. */
export class Engine {
  private application: ShopApplication | null = null;

  constructor(readonly harness: EngineHarness) {}

  get watcher(): ChainWatcherService {
    return this.harness.shop.gateway.get(ChainWatcherService);
  }

  async asked(): Promise<Asked> {
    const { shop, slug, method } = this.harness;
    this.application ??= await shop.application();
    const payment = await shop.createPayment(this.application);
    const instructions = await shop.instructions(payment, method, slug);
    const key = this.harness.keyOf(instructions);
    return { payment, instructions, key, due: BigInt(instructions.amount.amount) };
  }

  /** The watcher of this chain until nothing is left to do, then everybody else. */
  async watch(): Promise<void> {
    await this.watcher.drain(this.harness.slug);
    await this.harness.shop.settle();
  }

  async mine(blocks = 1): Promise<void> {
    await this.harness.driver.mine(blocks);
    await this.watch();
  }

  /** From now on another watcher may take over the chain. */
  async endLease(): Promise<void> {
    const { shop, slug } = this.harness;
    await shop.gateway.sql.query(
      `update chain_leases set expires_at = now() - interval '1 second' where chain = $1`,
      [slug],
    );
  }

  payment({ payment }: Pick<Asked, 'payment'>): Promise<PaymentDto> {
    return this.harness.shop.payment(payment);
  }

  transfers({ payment }: Pick<Asked, 'payment'>): Promise<TransferRow[]> {
    return this.harness.shop.gateway.sql.query<TransferRow>(TRANSFERS, [payment.id]);
  }

  async cursor(): Promise<{ height: number; hash: string; haltReason: string | null } | null> {
    const { shop, slug } = this.harness;
    const [row] = await shop.gateway.sql.query<{ height: string; hash: string; halt_reason: string | null }>(
      CURSOR,
      [slug],
    );
    return row ? { height: Number(row.height), hash: row.hash, haltReason: row.halt_reason } : null;
  }

  /** Paid once and in full, and announced once. */
  async expectPaid(asked: Pick<Asked, 'payment'>): Promise<void> {
    expect(await this.payment(asked)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      overpaidAmount: null,
    });
    expect(this.harness.shop.events(asked.payment)).toEqual(['payment.received', 'payment.completed']);
  }

  /** At most seen as waiting; no block counts. */
  async expectNothingMined(asked: Pick<Asked, 'payment'>): Promise<void> {
    const { status, receivedAmount, transactions } = await this.payment(asked);
    expect(status).toMatch(/^(OPEN|FOUND)$/);
    expect(receivedAmount.amount).toBe(0);
    expect(transactions.filter(({ confirmations }) => confirmations !== 0)).toEqual([]);
  }

  /** Found in blocks, none of which counts as yet. */
  async expectNothingCounted(asked: Pick<Asked, 'payment'>): Promise<void> {
    const { status, receivedAmount, transactions } = await this.payment(asked);
    expect({ status, received: receivedAmount.amount }).toEqual({ status: 'FOUND', received: 0 });
    expect(new Set(transactions.map((one) => one.status))).toEqual(new Set(['PENDING']));
    expect(Math.min(...transactions.map(({ confirmations }) => confirmations))).toBeGreaterThan(0);
  }

  /** The gateway stands on the chain's tip and credits every key with what the chain alone says, to the unit. */
  async expectTruth(): Promise<void> {
    const { driver, shop, slug } = this.harness;
    expect(await this.cursor()).toEqual({ ...(await driver.tip()), haltReason: null });
    const { sql } = shop.gateway;
    const family = slug === 'ethereum' ? 'evm' : slug;
    const rows = await sql.query<{ key: Buffer; amount: string }>(CREDITED, [slug, family]);
    const paid = await driver.paid(rows.map(({ key }) => key));
    expect(rows.map(({ amount }) => BigInt(amount))).toEqual(paid);
    expect(await sql.query(ABOVE_CURSOR, [slug])).toEqual([{ n: '0' }]);
  }
}
