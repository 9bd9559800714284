import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { JsonRpc } from '../src/chains/json-rpc.js';
import { DepositAddressesService } from '../src/wallets/deposit-addresses.service.js';
import { newScriptKey } from '../test/support/utxo-chain.js';
import { type ScriptOutput, startUtxoNode, type UtxoNode } from '../test/support/litecoind.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { atTheEnd } from './support/cleanup.js';
import { BenchDatabase } from './support/database.js';
import { type BenchGateway, openGateway } from './support/gateway.js';
import { interleave, ownCpu, printTable, type Sample, timed, treeCpu } from './support/measure.js';
import { demandAllPaid, type Due, fillPayments, keyOf } from './support/payments.js';
import { record, type Recorded, replay } from './support/replay.js';

/** Requests that the gateway has under way at once in catch-up: the three ranges ahead. */
const IN_FLIGHT = 3;
/** Together six thousand outputs, as a block of Bitcoin has. */
const TRANSACTIONS_A_BLOCK = 4;
const OUTPUTS_A_TRANSACTION = 1_500;
/** Blocks of one request of the peer, as many as the gateway requested at once before it read ranges. */
const PEER_BATCH = 8;
const FEE = 3_000_000n;

/** A gateway that was away for two hundred blocks of six thousand outputs, some of them to one of a million addresses. */
export const utxoCatchup: Benchmark = { name: 'utxo-catchup', run: measure };

async function measure(options: Options): Promise<Record<string, unknown>> {
  const blocks = scaled(200, options, 24);
  const watched = scaled(1_000_000, options, 1_000);
  const paid = scaled(200, options, 10);
  const node = await startUtxoNode();
  atTheEnd(() => node.stop());
  const database = await BenchDatabase.start();
  const coin = { chain: 'bitcoin', asset: 'native', currencyCode: 'BTC', decimals: 8 };
  const dues = Array.from({ length: paid }, (_, i): Due => ({ ...coin, amount: 10_000n + BigInt(i) }));
  const start = await node.height();
  await Promise.all([
    fillChain(node, dues, blocks),
    database.fill((client) => fillPayments(client, 'bitcoin', watched, dues)),
  ]);
  const outputs = blocks * TRANSACTIONS_A_BLOCK * OUTPUTS_A_TRANSACTION;
  const env = {
    CHAIN_BITCOIN_RPC_URL: node.url,
    CHAIN_BITCOIN_NETWORK: 'regtest',
    CHAIN_BITCOIN_START_HEIGHT: String(start),
  };
  const nodeCpu = () => treeCpu(node.pid);
  let requests: Recorded[] = [];

  const onFreshGateway = async (work: (gateway: BenchGateway) => Promise<Sample>): Promise<Sample> => {
    const url = await database.clone();
    const gateway = await openGateway(url, env);
    try {
      return await work(gateway);
    } finally {
      await gateway.close();
      await database.drop(url);
    }
  };
  const subject = () =>
    onFreshGateway(async (gateway) => {
      const watcher = gateway.get(ChainWatcherService);
      // The cursor is made, as it stood when the gateway went away.
      await watcher.runOnce('bitcoin');
      const pids = { gateway: ownCpu, postgres: () => database.cpu(), node: nodeCpu };
      const samples: Sample[] = [];
      requests = await record(new URL(node.url).origin, async () => {
        samples.push(await timed(pids, async () => watcher.drain('bitcoin').then(() => outputs)));
      });
      await demandAllPaid(gateway.sql, dues);
      const [sample] = samples;
      demand(sample !== undefined, 'nothing was measured');
      return sample;
    });
  const ceiling = () =>
    timed({ client: ownCpu, node: nodeCpu }, async () => {
      demand((await replay(requests, IN_FLIGHT)) > outputs * 60, 'the upper bound read too little');
      return outputs;
    });
  const peer = () =>
    onFreshGateway((gateway) =>
      timed({ peer: ownCpu, postgres: () => database.cpu(), node: nodeCpu }, async () => {
        demand(
          (await readVerbosely(node, gateway, start + 1, start + blocks)) === paid,
          'the peer missed some',
        );
        return outputs;
      }),
    );

  const results = await interleave(
    { gateway: subject, 'same bytes alone': ceiling, 'getblock 2, parsed and matched': peer },
    options.rounds,
  );
  printTable(results, 'output');
  return { blocks, watched, paid, outputs, requests: requests.length, results };
}

/** Every payment is one output among many unwatched ones. */
async function fillChain(node: UtxoNode, dues: readonly Due[], blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    const mine = dues.flatMap(({ amount }, i): ScriptOutput[] =>
      Math.floor((i * blocks) / dues.length) === block ? [{ key: keyOf('bitcoin', i), amount }] : [],
    );
    for (let n = 0; n < TRANSACTIONS_A_BLOCK; n++) {
      const own = n === 0 ? mine : [];
      const others = Array.from({ length: OUTPUTS_A_TRANSACTION - own.length }, (): ScriptOutput => ({
        key: newScriptKey(),
        amount: 1_000n,
      }));
      await node.pay([...own, ...others], FEE);
    }
    await node.mine();
  }
  // The last payments are buried deep enough, too.
  await node.mine(3);
}

interface VerboseBlock {
  tx: { vout: { scriptPubKey: { hex: string } }[] }[];
}

/** The usual way: the node decodes, we parse JSON and look the scripts up; nothing is written. @returns the hits */
async function readVerbosely(
  node: UtxoNode,
  gateway: BenchGateway,
  from: number,
  to: number,
): Promise<number> {
  const rpc = new JsonRpc(node.url, { maxResponseBytes: 2 ** 28, deadlineMs: 60_000 });
  const addresses = gateway.get(DepositAddressesService);
  let hits = 0;
  for (let height = from; height <= to; height += PEER_BATCH) {
    const count = Math.min(PEER_BATCH, to - height + 1);
    const hashes = await rpc.batch(Array.from({ length: count }, (_, i) => ['getblockhash', [height + i]]));
    const blocks = (await rpc.batch(hashes.map((hash) => ['getblock', [hash, 2]]))) as VerboseBlock[];
    const scripts = blocks.flatMap(({ tx }) =>
      tx.flatMap(({ vout }) => vout.map((out) => out.scriptPubKey.hex)),
    );
    const keys = scripts.map((script) => Buffer.from(script, 'hex'));
    hits += (await addresses.match('bitcoin', keys)).length;
  }
  await rpc.close();
  return hits;
}
