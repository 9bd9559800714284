import { runCli } from '../../src/cli.js';
import { UsersService } from '../../src/identity/oauth/people/users.service.js';
import type { Hex } from './anvil.js';
import { Forwarder, RevertingInner } from './contracts/artifacts.js';
import { createOwner } from './principals.js';
import { RpcProxy } from './rpc-proxy.js';
import { CONFIRMATIONS, type CreatedPayment, EVM_XPUB, Shop, type ShopApplication } from './shop.js';

const ETHER = 10n ** 18n;
/** 100 USD at the stub's rate. */
export const DUE = ETHER / 20n;
const TABLES = [
  'payments',
  'payment_transfers',
  'payment_status_history',
  'payment_events',
  'quotes',
  'deposit_addresses',
  'wallets',
  'chain_cursors',
] as const;

export interface ReportView {
  consistent: boolean;
  complete: boolean;
  chains: { slug: string; height: number | null; problem: string | null }[];
  checked: Record<string, number>;
  differenceCount: number;
  differences: {
    check: string;
    chain: string | null;
    paymentId: string | null;
    subject: string;
    expected: string;
    found: string;
  }[];
  unattributedCount: number;
  unattributed: {
    paymentId: string;
    txHash: string;
    amount: { formatted: string };
    currencyCode: string;
  }[];
  notChecked: string[];
}

/** A shop with every kind of payment, an operator who checks its records, and functions that falsify them. */
export class ReconciliationHarness {
  readonly made = new Map<string, CreatedPayment>();
  /** A transaction to the address of the payment "open" that failed. */
  failedTx: Hex = '0x';

  private constructor(
    readonly shop: Shop,
    readonly proxy: RpcProxy,
    private readonly application: ShopApplication,
    readonly operatorToken: string,
  ) {}

  static async open(): Promise<ReconciliationHarness> {
    const proxies: RpcProxy[] = [];
    const shop = await Shop.open({}, async (node) => {
      const proxy = await RpcProxy.start(node);
      proxies.push(proxy);
      return proxy.url;
    });
    const [proxy] = proxies;
    if (!proxy) throw new Error('the shop asked for no way to its node');
    const operator = await createOwner(shop.gateway);
    await shop.gateway.get(UsersService).setOperator(operator.userId, true);
    const application = await shop.application();
    const harness = new ReconciliationHarness(shop, proxy, application, operator.accessToken);
    await harness.fill();
    return harness;
  }

  async close(): Promise<void> {
    await this.shop.close();
    await this.proxy.stop();
  }

  idOf(name: string): string {
    const payment = this.made.get(name);
    if (!payment) throw new Error(`there is no payment "${name}"`);
    return payment.id;
  }

  async ask(name: string, method = 'eth', fields: Record<string, unknown> = {}) {
    const payment = await this.shop.createPayment(this.application, fields);
    this.made.set(name, payment);
    return { payment, instructions: await this.shop.instructions(payment, method) };
  }

  /** Every kind of payment once. */
  private async fill(): Promise<void> {
    const { shop, made } = this;
    const ether = await this.ask('ether');
    await shop.send(ether.instructions);
    const token = await this.ask('token', 'usdt', { settlementCurrencyCode: 'EUR' });
    await shop.instructions(token.payment, 'eth');
    await shop.send(token.instructions);
    const internal = await this.ask('internal');
    const forwarder = await shop.chain.deploy(Forwarder, [internal.instructions.address as Hex]);
    await shop.chain.sendEth({ to: forwarder.address, value: DUE });
    const short = await this.ask('short');
    await shop.send(short.instructions, DUE / 3n);
    const over = await this.ask('over');
    await shop.send(over.instructions, DUE * 2n);
    const unasked = await this.ask('unasked');
    await shop.send(unasked.instructions);
    const to = unasked.instructions.address as Hex;
    await shop.chain.sendToken({ token: shop.tokens.USDC, to, value: 1_500_000n });
    const cancelled = await this.ask('cancelled');
    await shop.call('POST', `/api/payment/${cancelled.payment.id}/cancel`, this.application.clientToken, {});
    await shop.send(cancelled.instructions);
    const open = await this.ask('open');
    const trick = await shop.chain.deploy(RevertingInner);
    this.failedTx = await shop.chain.call(
      trick,
      'payThenRevert',
      [open.instructions.address as Hex, DUE],
      {},
    );
    await shop.mine(CONFIRMATIONS);
    const young = await this.ask('young');
    await shop.send(young.instructions);
    await shop.mine(2);
    const statuses = await Promise.all([...made.values()].map((payment) => shop.status(payment)));
    expect(Object.fromEntries([...made.keys()].map((name, i) => [name, statuses[i]]))).toEqual({
      ether: 'CONFIRMED',
      token: 'CONFIRMED',
      internal: 'CONFIRMED',
      short: 'UNDERPAID',
      over: 'CONFIRMED',
      unasked: 'CONFIRMED',
      cancelled: 'CANCELLED',
      open: 'OPEN',
      young: 'FOUND',
    });
  }

  async reconcile(): Promise<ReportView> {
    const answer = await this.shop.call<ReportView>('GET', '/api/admin/reconciliation', this.operatorToken);
    expect(answer.status).toBe(200);
    return answer.body.data;
  }

  /** `npm run verify`. */
  async cli(...args: string[]) {
    const { shop, proxy } = this;
    const output: string[] = [];
    const environment = {
      ...shop.gateway.environment,
      CHAIN_ETHEREUM_RPC_URL: proxy.url,
      CHAIN_ETHEREUM_CHAIN_ID: String(shop.chain.chainId),
      CHAIN_ETHEREUM_TOKENS: `USDT:${shop.tokens.USDT}:6,USDC:${shop.tokens.USDC}:6`,
      WALLET_EVM_XPUB: EVM_XPUB,
    };
    const write = (text: string) => void output.push(text);
    const input = (async function* () {})();
    const code = await runCli(['verify', ...args], environment, { input, write, writeError: write });
    return { code, output: output.join('') };
  }

  /** Changes rows behind the guards' back, looks, and puts everything back. */
  async withPlanted(statements: readonly string[], values: readonly unknown[], look: () => Promise<void>) {
    const { sql } = this.shop.gateway;
    const unguarded = async (texts: readonly [string, readonly unknown[]][]) =>
      sql.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica');
        for (const [text, parameters] of texts) await tx.query(text, parameters);
      });
    for (const table of TABLES) await sql.query(`create table saved_${table} as select * from ${table}`);
    try {
      await unguarded(statements.map((text) => [text, text.includes('$1') ? values : []]));
      await look();
    } finally {
      await unguarded(
        TABLES.flatMap((table): [string, []][] => [
          [`delete from ${table}`, []],
          [`insert into ${table} select * from saved_${table}`, []],
        ]),
      );
      for (const table of TABLES) await sql.query(`drop table saved_${table}`);
    }
  }
}
