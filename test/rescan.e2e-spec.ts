import type { Hex } from './support/anvil.js';
import { Forwarder } from './support/contracts/artifacts.js';
import { killedRescan, rescan } from './support/rescan-command.js';
import { answering, changed, type RpcFault, RpcProxy } from './support/rpc-proxy.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

const DUE = 10n ** 18n / 20n;
const NO_BLOOM = `0x${'0'.repeat(512)}`;
/**
 * A node that shows blocks and plain transfers, but neither logs nor what contracts do. All its headers are of a form that is
 * not known here, or what it hides would be noticed.
 */
const HIDING: Record<string, RpcFault> = {
  trace_block: changed((rows: { traceAddress: unknown[] }[]) =>
    rows.filter(({ traceAddress }) => traceAddress.length === 0),
  ),
  eth_getLogs: answering([]),
  eth_getBlockReceipts: changed((list: object[]) =>
    list.map((receipt) => ({ ...receipt, logs: [], logsBloom: NO_BLOOM })),
  ),
  eth_getBlockByNumber: changed(
    (block: object | null) =>
      block && { ...block, logsBloom: NO_BLOOM, receiptsRoot: `0x${'ab'.repeat(32)}`, extraData: '0x01' },
  ),
};

let shop: Shop;
let proxy: RpcProxy;
let application: ShopApplication;

beforeAll(async () => {
  const proxies: RpcProxy[] = [];
  shop = await Shop.open({}, async (node) => {
    proxies.push(await RpcProxy.start(node));
    return proxies[0]?.url ?? node;
  });
  [proxy] = proxies as [RpcProxy];
  application = await shop.application();
});
afterAll(async () => {
  await shop.close();
  await proxy.stop();
});
beforeEach(() => proxy.setFaults({}));

async function request(method = 'eth') {
  const payment = await shop.createPayment(application);
  return { payment, instructions: await shop.instructions(payment, method) };
}

/** Pays by a contract, in the next block. */
async function payByContract(address: string, value = DUE): Promise<Hex> {
  const forwarder = await shop.chain.deploy(Forwarder, [address as Hex]);
  return shop.chain.sendEth({ to: forwarder.address, value });
}

/** The node hides what it can while blocks are applied, and is honest afterwards. */
async function whileHiding(work: () => Promise<void>): Promise<void> {
  proxy.setFaults(HIDING);
  await work();
  proxy.setFaults({});
}

const transfersOf = (payments: CreatedPayment[]) =>
  shop.gateway.sql.query<{ ordinal: string; state: string }>(
    'select ordinal, state from payment_transfers where payment_id = any($1::uuid[]) order by seen_at, ordinal',
    [payments.map(({ id }) => id)],
  );
const audited = () =>
  shop.gateway.sql.query<{ details: { transfers: number } }>(
    `select details from audit_log where act = 'chain.rescanned' order by seq`,
  );

describe('after a node has hidden traces and logs, rescan', () => {
  it('credits what is missing, once, and leaves alone what is recorded', async () => {
    const [plain, ether, tether] = [await request(), await request(), await request('usdt')];
    const closed = await request();
    const from = (await shop.chain.blockNumber()) + 1;
    await whileHiding(async () => {
      await shop.send(plain.instructions);
      await payByContract(ether.instructions.address);
      await shop.send(tether.instructions);
      await payByContract(closed.instructions.address);
      await shop.mine(CONFIRMATIONS);
      await shop.call('POST', `/api/payment/${closed.payment.id}/cancel`, application.clientToken);
      await shop.mine(20);
    });
    expect(await shop.status(plain.payment)).toBe('CONFIRMED');
    for (const { payment } of [ether, tether]) expect(await shop.status(payment)).toBe('OPEN');
    const before = (await audited()).length;

    expect(await rescan(shop, { from })).toMatchObject({ code: 0, credited: 3 });
    await shop.settle();
    for (const { payment } of [plain, ether, tether]) {
      expect(await shop.payment(payment)).toMatchObject({
        status: 'CONFIRMED',
        receivedAmount: { amount: 10_000 },
        transactions: [{ status: 'CONFIRMED' }],
      });
      expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
    }
    expect(await shop.payment(closed.payment)).toMatchObject({
      status: 'CANCELLED',
      reviewReason: 'funds_after_cancel',
      transactions: [{ status: 'CONFIRMED' }],
    });

    const rows = await transfersOf([plain, ether, tether, closed].map(({ payment }) => payment));
    expect(await rescan(shop, { from })).toMatchObject({ code: 0, credited: 0 });
    await shop.settle();
    expect(await transfersOf([plain, ether, tether, closed].map(({ payment }) => payment))).toEqual(rows);
    expect(shop.events(ether.payment)).toHaveLength(2);
    const entries = (await audited()).slice(before).map(({ details }) => details.transfers);
    expect([entries.slice(0, -1).reduce((sum, one) => sum + one, 0), entries.at(-1)]).toEqual([3, 0]);
  });

  it('values funds by the time of their block, although the quote has ended since', async () => {
    const { payment, instructions } = await request();
    const from = (await shop.chain.blockNumber()) + 1;
    await whileHiding(async () => {
      await payByContract(instructions.address);
      await shop.mine(CONFIRMATIONS);
    });
    await shop.wait(3 * 3_600);
    shop.rates.setPrice('ETH', 'USD', '1000');
    expect(await rescan(shop, { from })).toMatchObject({ code: 0, credited: 1 });
    shop.rates.setPrice('ETH', 'USD', '2000');
    await shop.settle();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
    });
  });

  it('counts confirmations of recent blocks as the watcher does', async () => {
    const { payment, instructions } = await request();
    const from = (await shop.chain.blockNumber()) + 1;
    await whileHiding(async () => {
      await payByContract(instructions.address);
      await shop.mine(3);
    });
    expect(await rescan(shop, { from })).toMatchObject({ code: 0, credited: 1 });
    await shop.settle();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'FOUND',
      transactions: [{ confirmations: 3 }],
    });
    await shop.mine(CONFIRMATIONS - 3);
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('credits once when it runs twice at the same time, beside the watcher', async () => {
    const payments = await Promise.all(Array.from({ length: 4 }, () => request()));
    const from = (await shop.chain.blockNumber()) + 1;
    await whileHiding(async () => {
      for (const { instructions } of payments) {
        await payByContract(instructions.address);
        await shop.chain.mine(6);
        await shop.watch();
      }
    });
    const next = await request();
    const live = async () => {
      await shop.send(next.instructions);
      for (let block = 0; block < CONFIRMATIONS; block++) {
        await shop.chain.mine();
        await shop.watch();
      }
    };
    const to = await shop.chain.blockNumber();
    const [first, second] = await Promise.all([
      rescan(shop, { from, to }),
      rescan(shop, { from, to }),
      live(),
    ]);
    expect([first.code, second.code, first.credited + second.credited]).toEqual([0, 0, 4]);
    await shop.settle();
    for (const { payment } of [...payments, next]) {
      expect(await shop.payment(payment)).toMatchObject({
        status: 'CONFIRMED',
        receivedAmount: { amount: 10_000 },
        transactions: [{ status: 'CONFIRMED' }],
      });
      expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
    }
  });

  it('credits the rest once after it was killed in the middle of a transaction', async () => {
    const [first, second] = [await request(), await request()];
    const from = (await shop.chain.blockNumber()) + 1;
    await whileHiding(async () => {
      await payByContract(first.instructions.address);
      await shop.mine(20);
      await payByContract(second.instructions.address);
      await shop.mine(CONFIRMATIONS);
    });
    expect(await killedRescan(shop, { from }, 'blocks.transfers-recorded', 2)).toBe('SIGKILL');
    const payments = [first.payment, second.payment];
    expect(await transfersOf(payments)).toEqual([{ ordinal: 'call:0', state: 'confirmed' }]);
    expect(await rescan(shop, { from })).toMatchObject({ code: 0, credited: 1 });
    await shop.settle();
    for (const payment of payments)
      expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
    expect(await transfersOf(payments)).toHaveLength(2);
  });
});

describe('rescan', () => {
  it('credits a token whose contract was wrong in the configuration', async () => {
    const { payment, instructions } = await request('usdc');
    const wrong = shop.chain.account(5);
    const list = (usdc: string) => `USDT:${shop.tokens.USDT}:6,USDC:${usdc}:6`;
    await shop.gateway.close();
    shop.gateway = await shop.gateway.restart({ CHAIN_ETHEREUM_TOKENS: list(wrong) });
    const from = (await shop.chain.blockNumber()) + 1;
    await shop.send(instructions);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('OPEN');
    shop.gateway = await shop.gateway.restart({ CHAIN_ETHEREUM_TOKENS: list(shop.tokens.USDC) });
    expect(await rescan(shop, { from })).toMatchObject({ code: 0, credited: 1 });
    await shop.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('reads blocks below the kept history, if the node has them in its chain', async () => {
    const { payment, instructions } = await request();
    const from = (await shop.chain.blockNumber()) + 1;
    await whileHiding(async () => {
      await payByContract(instructions.address);
      await shop.mine(CONFIRMATIONS);
    });
    await shop.gateway.sql.query('delete from chain_blocks where height <= $1', [from + 5]);
    expect(await rescan(shop, { from, to: from + 2 })).toMatchObject({ code: 0, credited: 1 });
    expect(await shop.payment(payment)).toMatchObject({ receivedAmount: { amount: 10_000 } });
    await shop.settle();
  });

  it('stops at a block that is not the applied one, and says how to continue', async () => {
    const { payment, instructions } = await request();
    const from = (await shop.chain.blockNumber()) + 1;
    await whileHiding(async () => {
      await payByContract(instructions.address);
      await shop.mine(12);
    });
    const other = (hash: string) => `0x${hash.slice(2).split('').toReversed().join('')}`;
    const foreign: RpcFault = async ({ params: [height] }, answer) => {
      const reply = await answer();
      const block = reply.result as { hash: string };
      return Number(height) < from ? reply : { ...reply, result: { ...block, hash: other(block.hash) } };
    };
    proxy.setFaults({
      eth_getBlockByNumber: foreign,
      trace_block: answering([]),
      eth_getLogs: answering([]),
    });
    const refused = await rescan(shop, { from: from - 8 });
    expect(refused).toMatchObject({ code: 1, credited: 0 });
    expect(refused.errors).toContain(`to continue: rescan --chain ethereum --from ${from} --to`);
    proxy.setFaults({});
    expect(await rescan(shop, { from })).toMatchObject({ code: 0, credited: 1 });
    expect(await shop.status(payment)).not.toBe('OPEN');
  });

  it('leaves out a transaction that is recorded at another position', async () => {
    const { payment, instructions } = await request();
    const from = (await shop.chain.blockNumber()) + 1;
    await payByContract(instructions.address);
    await shop.mine();
    // As a node would number it that counts another call before.
    proxy.setFaults({
      trace_block: changed((rows: { traceAddress: number[] }[]) =>
        rows.map((row) => ({ ...row, traceAddress: row.traceAddress.map((step) => step + 1) })),
      ),
    });
    const result = await rescan(shop, { from });
    expect(result).toMatchObject({ code: 1, credited: 0 });
    expect(result.errors).toContain('left out: 0x');
    expect(await transfersOf([payment])).toEqual([{ ordinal: 'call:0', state: 'pending' }]);
    await shop.settle();
  });

  it('does nothing on a halted chain', async () => {
    const { sql } = shop.gateway;
    await sql.query(`update chain_cursors set halted_at = now(), halt_reason = 'a test'`);
    expect(await rescan(shop, { from: 1 })).toMatchObject({ code: 2 });
    await sql.query(`update chain_cursors set halted_at = null, halt_reason = null`);
  });

  it.each([
    ['a height above the cursor', { from: 1, to: 10_000_000 }, '--to must not be above'],
    ['an empty range', { from: 2, to: 1 }, '--from must not be above --to'],
    ['a negative height', { from: -1 }, '--from'],
  ])('refuses %s', async (_title, range, message) => {
    const { code, errors } = await rescan(shop, range);
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
  });
});
