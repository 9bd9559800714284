import { type ChainAdapter, ChainInconsistencyError } from '../src/chains/chain-adapter.pure.js';
import { RpcError } from '../src/chains/rpc-error.pure.js';
import { creditsAt } from './chain-adapter.contract.js';
import { TronAdapters } from './support/tron-chain.js';
import { newTronKey, TronNode, TronRaw } from './support/tron-node.js';
import { type Json, withTransactions } from './support/tron-shapes.js';

const adapters = new TronAdapters();
let node: TronNode;
let adapter: ChainAdapter;
let us: Buffer;

beforeAll(async () => {
  node = await TronNode.start();
  adapter = adapters.create(node.url);
});
afterAll(async () => {
  await adapters.close();
  await node.stop();
});
beforeEach(() => {
  us = newTronKey();
  node.faults.clear();
  node.hidden.clear();
});

describe('a node that contradicts itself', () => {
  const INFOS = 'wallet/gettransactioninfobyblocknum';
  const infosFault = (change: (infos: Json[]) => unknown) => (answer: unknown) => change(answer as Json[]);

  it.each<[string, string, (answer: unknown, question: Json) => unknown]>([
    ['results that are missing', INFOS, infosFault(() => [])],
    ['results of fewer transactions', INFOS, infosFault((infos) => infos.slice(1))],
    ['results in another order', INFOS, infosFault((infos) => infos.toReversed())],
    [
      'results of another height',
      INFOS,
      infosFault((infos) => infos.map((one) => ({ ...one, blockNumber: 1 }))),
    ],
    [
      'results of another time',
      INFOS,
      infosFault((infos) => infos.map((one) => ({ ...one, blockTimeStamp: 1 }))),
    ],
    ['results that are no list', INFOS, () => ({})],
    ['another outcome', INFOS, infosFault((infos) => infos.map((one) => ({ ...one, result: 'FAILED' })))],
    [
      'an outcome left out',
      'wallet/getblock',
      (answer) => withTransactions(answer as Json, () => ({ ret: [{}] })),
    ],
    [
      'an id of another height',
      'wallet/getblock',
      (answer) => ({ ...(answer as Json), blockID: 'f'.repeat(64) }),
    ],
    ['no JSON', 'wallet/getblock', () => new TronRaw(200, '<html>')],
    ['half an answer', INFOS, () => new TronRaw(200, '[{"id":')],
    [
      'a fraction for an amount',
      'wallet/getblock',
      (answer) => withTransactions(answer as Json, () => amount(1.5)),
    ],
    ['a negative amount', 'wallet/getblock', (answer) => withTransactions(answer as Json, () => amount(-5))],
    [
      'an amount beyond 64 bits',
      'wallet/getblock',
      (answer) => withTransactions(answer as Json, () => amount(2n ** 63n)),
    ],
    [
      'an amount in quotes',
      'wallet/getblock',
      (answer) => withTransactions(answer as Json, () => amount('5')),
    ],
  ])('is rejected: %s', async (_what, path, fault) => {
    node.pay([{ key: us, amount: 5n }]);
    node.pay([{ key: us, amount: 6n }]);
    const height = node.mine();
    expect(await creditsAt(adapter, height, [us])).toHaveLength(2);
    node.faults.set(path, fault);
    const error: unknown = await adapter.block(height).catch((refusal: unknown) => refusal);
    expect([ChainInconsistencyError, RpcError]).toContain((error as Error).constructor);
  });

  it('is rejected when its block is replaced while it is read', async () => {
    node.pay([{ key: us, amount: 5n }]);
    const height = node.mine();
    node.faults.set(INFOS, (answer) => {
      node.fork(1);
      return answer;
    });
    await expect(adapter.block(height)).rejects.toThrow(`has left block ${height}`);
  });

  it('is refused with another height than requested', async () => {
    const height = node.mine(2);
    const below = await fetchBlock(height - 1);
    node.faults.set('wallet/getblock', () => below);
    await expect(adapter.header(height)).rejects.toThrow('another height');
  });

  it('causes an error with its reason, also with HTTP 200, and without its address', async () => {
    node.faults.set('wallet/getblock', () => ({
      Error: 'class java.lang.IllegalAccessException : lack of\nresources',
    }));
    const refused = await adapter.tip().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RpcError);
    expect(String(refused)).toContain('lack of resources');
    node.faults.set(
      'wallet/getblock',
      () => new TronRaw(429, '{"Success":false,"Error":"too many requests"}'),
    );
    // It waits for a few pauses only.
    const hasty = adapters.create(node.url, { deadlineMs: 2_000 });
    await expect(hasty.tip()).rejects.toThrow('too many requests');
    node.faults.set('wallet/getblock', () => new TronRaw(500));
    await expect(adapter.tip()).rejects.toThrow('wallet/getblock: the node answered HTTP 500');
  });

  it('cannot report pending transactions when the node does not serve them', async () => {
    const txHash = node.pay([{ key: us, amount: 5n }]);
    expect(await adapter.transactionFate(txHash)).toBe('mempool');
    node.hidden.add('wallet/gettransactionfrompending');
    expect(await adapter.transactionFate(txHash)).toBe('unknown');
    node.mine();
    expect(await adapter.transactionFate(txHash)).toBe('mined');
  });

  async function fetchBlock(height: number): Promise<unknown> {
    const body = JSON.stringify({ id_or_num: String(height) });
    return (await fetch(`${node.url}/wallet/getblock`, { method: 'POST', body })).json();
  }
});

describe('the key of a hosted node', () => {
  const KEY = 'a-secret-api-key';

  it('is sent in its header, and is in no error', async () => {
    const keyed = adapters.create(`${node.url}`, { apiKey: KEY });
    await keyed.tip();
    expect(node.seen.at(-1)?.headers['tron-pro-api-key']).toBe(KEY);
    await adapter.tip();
    expect(node.seen.at(-1)?.headers['tron-pro-api-key']).toBeUndefined();
    node.faults.set('wallet/getblock', () => new TronRaw(401, '{"Error":"bad key"}'));
    await expect(keyed.tip()).rejects.not.toThrow(KEY);
  });

  it('can be in the path of the URL instead, which is in no error', async () => {
    const nowhere = adapters.create(`http://127.0.0.1:9/${KEY}/`, { deadlineMs: 2_000 });
    const error = String(await nowhere.tip().catch((failure: unknown) => failure));
    expect(error).toContain('the node did not answer');
    expect(error).not.toContain(KEY);
    node.faults.set(`${KEY}/wallet/getblock`, () => ({ blockID: 'x' }));
    await expect(adapters.create(`${node.url}/${KEY}/`).tip()).rejects.toThrow('malformed');
  });
});

function amount(value: unknown): Json {
  const parameter = {
    value: { amount: value, owner_address: `41${'11'.repeat(20)}`, to_address: `41${'22'.repeat(20)}` },
  };
  return { raw_data: { contract: [{ type: 'TransferContract', parameter }] } };
}
