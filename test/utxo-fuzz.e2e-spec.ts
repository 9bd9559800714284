import { setImmediate as nextTurn } from 'node:timers/promises';
import { HDKey } from '@scure/bip32';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { ChainsService } from '../src/chains/chains.service.js';
import { utxoAddress } from '../src/chains/utxo/utxo-address.js';
import { JsonFloat } from '../src/common/exact-json.js';
import { parseDecimal } from '../src/money/money.js';
import { type Coin, describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { Shop } from './support/shop.js';
import { newScriptKey } from './support/utxo-chain.js';

const VPUB = { private: 0x045f18bc, public: 0x045f1cf6 };
const PAYMENTS = 6;
/** `FUZZ_SEED` and `FUZZ_STEPS` repeat or prolong a run. */
const SEEDS = process.env['FUZZ_SEED'] ? [Number(process.env['FUZZ_SEED'])] : [1, 2];
const STEPS = Number(process.env['FUZZ_STEPS'] ?? 90);

/** The same numbers for the same seed (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Target {
  paymentId: string;
  key: Buffer;
}

describeWithNode('whatever happens to a chain of Bitcoin’s kind', () => {
  let node: UtxoNode;
  let shop: Shop;

  beforeAll(async () => {
    node = await startUtxoNode();
  });
  afterAll(async () => {
    await node?.stop();
  });
  afterEach(async () => {
    await shop?.close();
  });

  async function openTargets(seed: number): Promise<Target[]> {
    const account = HDKey.fromMasterSeed(Buffer.alloc(32, seed), VPUB).derive("m/84'/1'/0'");
    shop = await Shop.open({
      CHAIN_BITCOIN_RPC_URL: node.url,
      CHAIN_BITCOIN_NETWORK: 'regtest',
      WALLET_BITCOIN_XPUB: account.publicExtendedKey,
    });
    const application = await shop.application();
    const keys = new Map(
      Array.from({ length: PAYMENTS }, (_, i) => {
        const { publicKey } = account.deriveChild(0).deriveChild(i);
        if (!publicKey) throw new Error('no key');
        const { address, key } = utxoAddress(publicKey, 'bitcoin', 'regtest', 'p2wpkh');
        return [address, key] as const;
      }),
    );
    const targets: Target[] = [];
    for (let i = 0; i < PAYMENTS; i++) {
      const payment = await shop.createPayment(application);
      const { address } = await shop.instructions(payment, 'btc', 'bitcoin');
      const key = keys.get(address);
      if (!key) throw new Error(`${address} is not of the account`);
      targets.push({ paymentId: payment.id, key });
    }
    return targets;
  }

  /** What the node alone says was paid to each script: in its blocks, and waiting. */
  async function paidOnChain(
    from: number,
  ): Promise<{ mined: Map<string, bigint>; waiting: Map<string, bigint> }> {
    type Output = { value: number | JsonFloat; scriptPubKey: { hex: string } };
    type Transaction = { vout: Output[] };
    const sums = (transactions: Transaction[]) => {
      const sum = new Map<string, bigint>();
      for (const { value, scriptPubKey } of transactions.flatMap(({ vout }) => vout)) {
        const units = parseDecimal(value instanceof JsonFloat ? value.text : String(value), 8);
        sum.set(scriptPubKey.hex, (sum.get(scriptPubKey.hex) ?? 0n) + units);
      }
      return sum;
    };
    const mined: Transaction[] = [];
    for (let height = from; height <= (await node.height()); height++) {
      const block = await node.rpc<{ tx: Transaction[] }>('getblock', [await node.hashAt(height), 2]);
      mined.push(...block.tx);
    }
    const waiting: Transaction[] = [];
    for (const hash of await node.rpc<string[]>('getrawmempool')) {
      waiting.push(await node.rpc<Transaction>('getrawtransaction', [hash, true]));
    }
    return { mined: sums(mined), waiting: sums(waiting) };
  }

  it.each(SEEDS)(
    'every payment is credited with what the chain holds, to the unit (seed %i)',
    async (seed) => {
      const pick = random(seed);
      const targets = await openTargets(seed);
      const start = await node.height();
      const watcher = shop.gateway.get(ChainWatcherService);
      await watcher.drain('bitcoin');
      /** Coins with a transaction that waits, whose fee may be raised or which may be spent elsewhere. */
      let unmined: { coin: Coin; fee: bigint }[] = [];
      const done: Record<string, number> = {};
      const meanwhile: Promise<boolean>[] = [];

      const outputs = () =>
        Array.from({ length: 1 + pick(3) }, () => ({
          key: pick(4) === 0 ? newScriptKey() : (targets[pick(PAYMENTS)]?.key ?? newScriptKey()),
          amount: BigInt(1_000 + pick(100_000)),
        }));
      const steps: [name: string, weight: number, run: () => Promise<void>][] = [
        [
          'pay',
          30,
          async () => {
            const coin = await node.coin(10_000_000n);
            await node.broadcast(await node.sign([coin], outputs()));
            unmined.push({ coin, fee: 10_000n });
          },
        ],
        [
          'replace',
          20,
          async () => {
            const spent = unmined[pick(Math.max(1, unmined.length))];
            if (!spent) return;
            const fee = spent.fee + 20_000n;
            await node.broadcast(await node.sign([spent.coin], outputs(), fee));
            spent.fee = fee;
          },
        ],
        [
          'mine',
          18,
          async () => {
            await node.mine(1 + pick(2));
            unmined = [];
          },
        ],
        ['mine nothing', 6, () => node.mineOnly()],
        ['reorg', 8, () => node.fork(1 + pick(5))],
        [
          'go back',
          4,
          async () => {
            const depth = 1 + pick(3);
            await node.rollback(depth);
            if (pick(2)) await watcher.runOnce('bitcoin');
            for (let i = 0; i < depth; i++) await node.mineOnly();
            await node.mineOnly();
          },
        ],
        ['watch a step', 20, async () => void (await watcher.runOnce('bitcoin'))],
        ['watch', 8, () => watcher.drain('bitcoin')],
      ];
      const total = steps.reduce((sum, [, weight]) => sum + weight, 0);
      for (let i = 0; i < STEPS; i++) {
        let at = pick(total);
        const [name, , run] = steps.find(([, weight]) => (at -= weight) < 0) ?? steps[0] ?? [];
        if (!name || !run) throw new Error('no step');
        try {
          await run();
          done[name] = (done[name] ?? 0) + 1;
        } catch (error) {
          // A coin whose block is gone cannot be spent, a fee may be too low: the node refuses, and that is an end of it.
          if (!/sendrawtransaction|signrawtransaction|no such coin/.test(String(error))) throw error;
        }
        // A watcher that is in the middle of a step while the chain moves on.
        if (pick(3) === 0) meanwhile.push(watcher.runOnce('bitcoin'));
        await nextTurn();
      }
      await Promise.all(meanwhile);
      await watcher.drain('bitcoin');
      expect(shop.gateway.get(ChainsService).findHealth('bitcoin')).toEqual({ ok: true });
      const [cursor] = await shop.gateway.sql.query(
        "select height, hash, halt_reason from chain_cursors where chain = 'bitcoin'",
      );
      const tip = await node.height();
      expect(cursor).toEqual({ height: String(tip), hash: await node.hashAt(tip), halt_reason: null });

      const rows = await shop.gateway.sql.query<{ key: Buffer; is_mined: boolean; amount: string }>(
        `select d.key, t.block_height is not null as is_mined, sum(t.amount) as amount
         from payment_transfers t join deposit_addresses d on d.id = t.deposit_address_id
         where t.state in ('pending', 'confirmed') group by 1, 2`,
      );
      const credited = (key: Buffer, isMined: boolean) =>
        BigInt(rows.find((row) => row.key.equals(key) && row.is_mined === isMined)?.amount ?? 0);
      const { mined, waiting } = await paidOnChain(start + 1);
      const found = targets.map(({ key }) => [credited(key, true), credited(key, false)]);
      const truth = targets.map(({ key }) => {
        const hex = key.toString('hex');
        return [mined.get(hex) ?? 0n, waiting.get(hex) ?? 0n];
      });
      expect({ seed, done, found }).toEqual({ seed, done, found: truth });
      // The run was one worth making.
      expect(done['reorg'] ?? 0).toBeGreaterThan(0);
      expect(done['replace'] ?? 0).toBeGreaterThan(0);
      expect(truth.flat().some((amount) => amount > 0n)).toBe(true);
    },
    120_000,
  );
});
