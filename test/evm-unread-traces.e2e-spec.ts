import { Logger } from '@nestjs/common';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { UnreadTraceReader } from '../src/chain-watcher/unread-trace-reader.service.js';
import { ChainsService } from '../src/chains/chains.service.js';
import { MetricsService } from '../src/operations/metrics/metrics.service.js';
import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import { AttentionService } from '../src/overview/attention.service.js';
import type { Hex } from './support/anvil.js';
import { Forwarder } from './support/contracts/artifacts.js';
import { rescan } from './support/rescan-command.js';
import { changed, RESET, raw, type RpcFault, RpcProxy } from './support/rpc-proxy.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';
import { wideTraces } from './support/wide-trace.js';

type Json = Record<string, unknown>;

const DUE = 10n ** 18n / 20n;
/** What the gateway reads of a response as a whole. */
const LIMIT = 32 * 2 ** 20;
/** Each adds 128 kB to the trace: 35 MB; 400 would cost a stranger 106,754 gas. */
const CALLS = 270;
/** Megabytes pass through the proxy several times. */
const SLOW_MS = 300_000;

let shop: Shop;
let proxy: RpcProxy;
let application: ShopApplication;

beforeAll(async () => {
  Logger.overrideLogger(false);
  shop = await Shop.open({}, async (node) => {
    proxy = await RpcProxy.start(node);
    return proxy.url;
  });
  application = await shop.application();
});
afterAll(async () => {
  await shop.close();
  await proxy.stop();
});
afterEach(async () => {
  proxy.hide([]);
  proxy.setFaults({});
  await readAgain();
});

async function request(method = 'eth') {
  const payment = await shop.createPayment(application);
  return { payment, instructions: await shop.instructions(payment, method) };
}

/** Pays by a contract; unmined. */
async function payByContract(address: string): Promise<Hex> {
  const forwarder = await shop.chain.deploy(Forwarder, [address as Hex]);
  return shop.chain.sendEth({ to: forwarder.address, value: DUE });
}

/** The attempts at unread blocks that are due after a while. */
async function readAgain(): Promise<void> {
  shop.gateway.clock.advanceSeconds(3_601);
  while (await shop.gateway.get(UnreadTraceReader).runOnce()) continue;
  await shop.settle();
}

const health = () => shop.gateway.get(ChainsService).findHealth('ethereum');
const metric = async () =>
  /gateway_chain_unread_traces\{chain="ethereum"\} (\d+)/.exec(
    await shop.gateway.get(MetricsService).render(),
  )?.[1];
const attention = async () => {
  const page = await shop.gateway.get(AttentionService).list(shop.owner.userId, { limit: 100 });
  return page.items.filter(({ blockchain }) => blockchain !== null).map(({ kind }) => kind);
};
const unread = () =>
  shop.gateway.sql.query<{ height: string; tx_hashes: string[] | null; reason: string }>(
    'select height, tx_hashes, reason from unread_traces order by height',
  );
const transfersOf = ({ id }: CreatedPayment) =>
  shop.gateway.sql.query<{ ordinal: string; amount: string }>(
    'select ordinal, amount from payment_transfers where payment_id = $1 order by ordinal',
    [id],
  );
const failing =
  (message: string): RpcFault =>
  ({ id }) => ({ id, error: { code: -32000, message } });

/** What a node says about one transaction, and truly about all others. */
const about =
  (txHash: () => string, fault: RpcFault): RpcFault =>
  (call, answer) =>
    call.params[0] === txHash() ? fault(call, answer) : answer();
/** Rows or items of one transaction, changed. */
const rows = (txHash: () => string, change: (row: Json) => Json): RpcFault =>
  changed((list: Json[] | undefined) =>
    list?.map((row) =>
      row['transactionHash'] === txHash() || row['txHash'] === txHash() ? change(row) : row,
    ),
  );

describe('while the traces of one transaction cannot be read', () => {
  let txHash: Hex;
  const its = () => txHash;
  const asGeth = ['trace_block', 'trace_transaction'];
  const timedOut = failing('execution timeout');

  const CASES: [string, { hidden?: string[]; faults: Record<string, RpcFault> }][] = [
    [
      'go-ethereum gives up after its timeout',
      {
        hidden: asGeth,
        faults: {
          debug_traceBlockByHash: rows(its, ({ txHash: hash }) => ({
            txHash: hash,
            error: 'execution timeout',
          })),
          debug_traceTransaction: about(its, timedOut),
        },
      },
    ],
    [
      'the whole block is given up with it',
      {
        hidden: asGeth,
        faults: { debug_traceBlockByHash: timedOut, debug_traceTransaction: about(its, timedOut) },
      },
    ],
    [
      'a frame has a form that is not known',
      {
        faults: {
          trace_block: rows(its, (row) => ({ ...row, type: 'authorize' })),
          trace_transaction: rows(its, (row) => ({ ...row, type: 'authorize' })),
          debug_traceTransaction: about(
            its,
            changed((call: Json) => ({ ...call, type: 'AUTHCALL' })),
          ),
        },
      },
    ],
    [
      'the connection breaks off',
      {
        faults: {
          trace_block: raw(RESET),
          trace_transaction: about(its, raw(RESET)),
          debug_traceTransaction: about(its, raw(RESET)),
        },
      },
    ],
    [
      'its trace is left out',
      {
        faults: {
          trace_block: changed((list: Json[] | undefined) =>
            list?.filter((row) => row['transactionHash'] !== txHash),
          ),
          trace_transaction: about(its, ({ id }) => ({ id, result: null })),
          debug_traceTransaction: about(its, failing('transaction not found')),
        },
      },
    ],
    [
      'the node no longer has the state of the block',
      {
        hidden: asGeth,
        faults: {
          debug_traceBlockByHash: failing('required historical state unavailable (reexec=128)'),
          debug_traceTransaction: failing('required historical state unavailable (reexec=128)'),
        },
      },
    ],
  ];

  it.each(CASES)(
    'because %s, all else is credited, and it once it can be',
    async (_why, { hidden = [], faults }) => {
      proxy.hide(hidden);
      // The endpoint is identified anew, as what it is now.
      proxy.setFaults({ '*': raw('oops', 502) });
      await shop.watch();
      proxy.setFaults({});
      shop.gateway.clock.advanceSeconds(61);
      await shop.watch();
      const [inner, direct, tether, later] = [
        await request(),
        await request(),
        await request('usdt'),
        await request('usdt'),
      ];
      txHash = await payByContract(inner.instructions.address);
      await shop.send(direct.instructions);
      await shop.send(tether.instructions);
      proxy.setFaults(faults);
      await shop.mine();
      const height = await shop.chain.blockNumber();
      await shop.send(later.instructions);
      await shop.mine();
      // Only that block cannot be read.
      proxy.setFaults({});
      await shop.mine(CONFIRMATIONS);
      for (const { payment } of [direct, tether, later]) expect(await shop.status(payment)).toBe('CONFIRMED');
      expect(await shop.status(inner.payment)).toBe('OPEN');
      expect((await unread()).map((one) => one.height)).toContain(String(height));
      expect(Number(await metric())).toBeGreaterThan(0);
      expect(await attention()).toContain('traces_unread');
      expect(health()).toEqual({ ok: true });
      const { notChecked } = await shop.gateway.get(Reconciliation).run({ limit: 100, budget: null });
      expect(notChecked).toEqual([expect.stringContaining('payments by contracts in')]);

      await readAgain();
      expect(await shop.status(inner.payment)).toBe('CONFIRMED');
      expect(await unread()).toEqual([]);
      expect(await metric()).toBe('0');
      expect(await attention()).not.toContain('traces_unread');
      await readAgain();
      expect((await rescan(shop, { from: height })).credited).toBe(0);
      expect(await transfersOf(inner.payment)).toMatchObject([{ amount: String(DUE) }]);
      for (const { payment } of [direct, tether, later]) expect(await transfersOf(payment)).toHaveLength(1);
      const checked = await shop.gateway.get(Reconciliation).run({ limit: 100, budget: null });
      expect(checked).toMatchObject({ notChecked: [], differences: [] });
    },
  );
});

describe('what is open about a block', () => {
  /** Nothing traces the transaction that comes next. */
  function hide(txHash: Hex, height: number): void {
    const timedOut = failing('trace timeout');
    proxy.setFaults({
      trace_block: about(() => `0x${height.toString(16)}`, timedOut),
      trace_transaction: about(() => txHash, timedOut),
      debug_traceBlockByHash: timedOut,
      debug_traceTransaction: about(() => txHash, timedOut),
    });
  }

  async function openQuestion() {
    const ether = await request();
    const txHash = await payByContract(ether.instructions.address);
    const height = (await shop.chain.blockNumber()) + 1;
    hide(txHash, height);
    return { ether, height };
  }

  it('goes with the block that a fork takes back', async () => {
    const { ether } = await openQuestion();
    await shop.mine();
    expect(await unread()).toHaveLength(1);
    proxy.setFaults({});
    await shop.chain.reorg(1);
    await shop.mine(2);
    expect(await unread()).toEqual([]);
    expect(await transfersOf(ether.payment)).toEqual([]);
  });

  it('is answered by rescan as well, which says what it cannot read', async () => {
    const { ether, height } = await openQuestion();
    await shop.mine(CONFIRMATIONS);
    const vain = await rescan(shop, { from: height, to: height });
    expect(vain).toMatchObject({ code: 1, credited: 0 });
    expect(vain.errors).toContain(`payments by contracts in block ${height} not read: `);
    proxy.setFaults({});
    expect(await rescan(shop, { from: height, to: height })).toMatchObject({ code: 0, credited: 1 });
    expect(await unread()).toEqual([]);
    expect(await transfersOf(ether.payment)).toHaveLength(1);
  });

  it('is asked again after a pause that doubles, and neither lost nor credited twice by two processes', async () => {
    const { ether } = await openQuestion();
    await shop.mine(CONFIRMATIONS);
    const reader = shop.gateway.get(UnreadTraceReader);
    const attempts = async () =>
      (await shop.gateway.sql.query<{ attempts: number }>('select attempts from unread_traces'))[0]?.attempts;
    expect(await attempts()).toBe(0);
    for (const [seconds, expected] of [
      [10, 1],
      [9, 1],
      [1, 2],
      [19, 2],
      [1, 3],
    ] as const) {
      shop.gateway.clock.advanceSeconds(seconds);
      await reader.runOnce();
      expect(await attempts()).toBe(expected);
    }
    proxy.setFaults({});
    shop.gateway.clock.advanceSeconds(3_600);
    await Promise.all([reader.runOnce(), reader.runOnce()]);
    await shop.gateway.get(ChainWatcherService).drain('ethereum');
    expect(await unread()).toEqual([]);
    expect(await transfersOf(ether.payment)).toHaveLength(1);
  });
});

describe('a trace that is longer than what is read of a response', () => {
  it(
    'is read, with what the contract pays in it, and the chain goes on',
    async () => {
      const pay = await wideTraces(shop.chain);
      const [ether, tether] = [await request(), await request('usdt')];
      const txHash = await pay(ether.instructions.address, DUE, CALLS);
      await shop.chain.mine();
      const shown = await shop.chain.rpc('trace_transaction', [txHash]);
      expect(JSON.stringify(shown).length).toBeGreaterThan(LIMIT);
      await shop.send(tether.instructions);
      await shop.mine(CONFIRMATIONS);
      expect(await shop.status(tether.payment)).toBe('CONFIRMED');
      // A slow machine does not read it in the time that a new block has.
      await readAgain();
      expect(await shop.status(ether.payment)).toBe('CONFIRMED');
      expect(await transfersOf(ether.payment)).toEqual([{ ordinal: `call:${CALLS}`, amount: String(DUE) }]);
      expect(await unread()).toEqual([]);
      expect(health()).toEqual({ ok: true });
      const checked = await shop.gateway.get(Reconciliation).run({ limit: 100, budget: null });
      expect(checked).toMatchObject({ notChecked: [], differences: [] });
    },
    SLOW_MS,
  );
});
