import { ChainWatcherService } from '../../src/chain-watcher/chain-watcher.service.js';
import { UsersService } from '../../src/identity/oauth/people/users.service.js';
import { type Hex, startAnvil, type TestChain } from './anvil.js';
import { createOwner } from './principals.js';
import type { ReportView } from './reconciliation-harness.js';
import { type Answer, type CreatedPayment, type PaymentDto, Shop, type ShopApplication } from './shop.js';

/** Confirmations required on BNB Smart Chain (specification/chains.md#confirmations). */
export const BSC_CONFIRMATIONS = 15;
/** 100 USD at the rate of these tests. */
export const DUE_BNB = 2n * 10n ** 17n;

interface AcceptanceRow {
  accepted_transfer_id: string;
  accepted_by: string;
  accepted_token_id: string | null;
}

/** A shop that follows Ethereum and BNB Smart Chain, both real nodes: one key, and money may come to either. */
export class TwoChains {
  private constructor(
    readonly shop: Shop,
    readonly bsc: TestChain,
    /** Listed on BNB Smart Chain, 18 places. */
    readonly usdt: Hex,
    /** An unlisted contract there. */
    readonly unlisted: Hex,
  ) {}

  /** @param env more settings of the gateway */
  static async open(env: Record<string, string> = {}): Promise<TwoChains> {
    const bsc = await startAnvil({ chainId: 56 });
    const usdt = (await bsc.deployToken('USDT', 18)).address;
    const unlisted = (await bsc.deployToken('FAKE', 18)).address;
    const shop = await Shop.open({
      CHAIN_BSC_RPC_URL: bsc.url,
      CHAIN_BSC_TOKENS: `USDT:${usdt}:18`,
      ...env,
    });
    shop.rates.setPrice('BNB', 'USD', '500');
    const chains = new TwoChains(shop, bsc, usdt, unlisted);
    await chains.settle();
    return chains;
  }

  async close(): Promise<void> {
    await this.shop.close();
    await this.bsc.stop();
  }

  /** Runs every loop of both chains until nothing is left to do. */
  async settle(): Promise<void> {
    await this.shop.gateway.get(ChainWatcherService).drain('bsc');
    await this.shop.settle();
  }

  async mineBsc(blocks = 1): Promise<void> {
    await this.bsc.mine(blocks);
    await this.settle();
  }

  /** The address of the instructions for ether on Ethereum. */
  async addressOf(payment: CreatedPayment): Promise<Hex> {
    return (await this.shop.instructions(payment)).address as Hex;
  }

  /** Asks for ether on Ethereum and gets BNB on BNB Smart Chain, by default enough; then mines. */
  async sendBnb(payment: CreatedPayment, { amount = DUE_BNB, blocks = 1 } = {}): Promise<Hex> {
    const txHash = await this.bsc.sendEth({ to: await this.addressOf(payment), value: amount });
    await this.mineBsc(blocks);
    return txHash;
  }

  /** Replaces the newest blocks of BNB Smart Chain by empty ones. */
  async reorgBsc(depth: number): Promise<void> {
    await this.bsc.reorg(depth);
    await this.settle();
  }

  /** The transfers of the payment as its merchant sees them, oldest first. */
  async transactions(payment: CreatedPayment): Promise<PaymentDto['transactions']> {
    return (await this.shop.payment(payment)).transactions;
  }

  /** The only transfer of the payment. */
  async transferOf(payment: CreatedPayment): Promise<PaymentDto['transactions'][number]> {
    const [transfer, ...others] = await this.transactions(payment);
    if (!transfer || others.length > 0) throw new Error(`${others.length + 1} transfers`);
    return transfer;
  }

  /** @param transferId default: the payment's only transfer */
  async accept(
    application: ShopApplication,
    payment: CreatedPayment,
    transferId?: unknown,
  ): Promise<Answer<PaymentDto>> {
    return this.shop.call('POST', `/api/payment/${payment.id}/accept`, application.clientToken, {
      transferId: transferId ?? (await this.transferOf(payment)).id,
    });
  }

  /** The quotes of a payment that accept a transfer. */
  async acceptances({ id }: CreatedPayment): Promise<AcceptanceRow[]> {
    const sql = 'select * from quotes where payment_id = $1 and accepted_transfer_id is not null';
    return this.shop.gateway.sql.query<AcceptanceRow>(sql, [id]);
  }

  /** What `verify` reports of both chains and of every payment. */
  async reconcile(): Promise<ReportView> {
    const operator = await createOwner(this.shop.gateway);
    await this.shop.gateway.get(UsersService).setOperator(operator.userId, true);
    const path = '/api/admin/reconciliation';
    return (await this.shop.call<ReportView>('GET', path, operator.accessToken)).body.data;
  }
}
