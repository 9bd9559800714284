import type { ChainAdapter } from '../src/chains/chain-adapter.pure.js';
import { type AdapterDriver, creditsAt, describeChainAdapter } from './chain-adapter.contract.js';
import { type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { FakeToken, OddLogs } from './support/contracts/artifacts.js';
import { TronAdapters } from './support/tron-chain.js';
import { newTronKey, TronNode, TronRaw } from './support/tron-node.js';
import {
  address,
  assetContract,
  internalTransaction,
  type Json,
  transferContract,
  triggerContract,
  withTransactions,
} from './support/tron-shapes.js';

const adapters = new TronAdapters();
let node: TronNode;
let adapter: ChainAdapter;
let us: Buffer;

/** Mines, and reads what the new block credits to us. */
const credits = async (from = adapter): Promise<[ordinal: string, asset: string, amount: bigint][]> =>
  (await creditsAt(from, node.mine(), [us])).map(({ ordinal, asset, amount }) => [ordinal, asset, amount]);

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

async function startDriver(): Promise<AdapterDriver> {
  return {
    adapter,
    misnamed: adapters.create(node.url, { network: 'mainnet' }),
    // About all TRX that there are, in sun: beyond 2^53.
    large: 95_000_000_000_000_001n,
    newKey: newTronKey,
    pay: async (outputs) => node.pay(outputs),
    mine: async (blocks) => node.mine(blocks),
    fork: async (depth, keep) => node.fork(depth, keep),
    rollback: async (depth) => node.rollback(depth),
  };
}

describeChainAdapter('Tron, on a scripted node', startDriver);

describe('TRX', () => {
  it('is credited by a transfer', async () => {
    node.pay([{ key: us, amount: 7n }]);
    expect(await credits()).toEqual([['value', 'native', 7n]]);
  });

  it.each(['REVERT', 'OUT_OF_ENERGY', 'TRANSFER_FAILED', 'UNKNOWN'])(
    'is not credited by a transaction that ended with %s',
    async (contractRet) => {
      node.pay([{ key: us, amount: 7n }], { contractRet });
      node.pay(
        [
          { key: us, amount: 7n },
          { key: us, amount: 8n },
        ],
        { contractRet },
      );
      expect(await credits()).toEqual([]);
    },
  );

  it('is not credited by TRC-10 units of any number and name', async () => {
    node.submit(assetContract(newTronKey(), us, 10n ** 15n));
    node.submit(assetContract(newTronKey(), us, 10n ** 15n, 'TRX'));
    const value = { owner_address: address(newTronKey()), to_address: address(us), amount: 10n ** 15n };
    node.submit({ type: 'ParticipateAssetIssueContract', value: { ...value, asset_name: '54525820' } });
    expect(await credits()).toEqual([]);
  });

  it('is not credited by votes, stakes and other contracts with an address and a number', async () => {
    const owner = { owner_address: address(newTronKey()) };
    const votes = [{ vote_address: address(us), vote_count: 10_000_000 }];
    node.submit({ type: 'VoteWitnessContract', value: { ...owner, votes } });
    const lent = { ...owner, receiver_address: address(us), balance: 10_000_000, resource: 'ENERGY' };
    node.submit({ type: 'DelegateResourceContract', value: lent });
    node.submit({
      type: 'FreezeBalanceV2Contract',
      value: { owner_address: address(us), frozen_balance: 5 },
    });
    node.submit({ type: 'WithdrawBalanceContract', value: { owner_address: address(us) } });
    node.submit({ type: 'AccountCreateContract', value: { ...owner, account_address: address(us) } });
    // A kind that is not known yet, dressed up as a transfer.
    node.submit({ type: 'NextYearsContract', value: { ...owner, to_address: address(us), amount: 5 } });
    // A call's own TRX and TRC-10 go to the contract.
    node.submit(
      triggerContract(newTronKey(), newTronKey(), { call_value: 5, call_token_value: 9, token_id: 1 }),
    );
    expect(await credits()).toEqual([]);
  });

  it('is not credited by a transfer of zero, nor to the sender itself', async () => {
    node.pay([{ key: us, amount: 0n }]);
    node.submit(transferContract(us, us, 7n));
    expect(await credits()).toEqual([]);
  });

  it('is credited by internal payments of contracts, each with its own position', async () => {
    const spender = newTronKey();
    const internal = [
      internalTransaction(spender, newTronKey(), [{ callValue: 1 }]),
      internalTransaction(spender, us, [{ callValue: 5 }]),
      internalTransaction(spender, us, [{}]),
      internalTransaction(spender, us, [{ callValue: 6 }, { callValue: 900, tokenId: '1004777' }]),
      internalTransaction(spender, us, [{ callValue: 8 }], 'suicide'),
      internalTransaction(spender, us, [{ callValue: 9 }], 'create'),
    ];
    node.submit(triggerContract(newTronKey(), spender), { internal });
    expect(await credits()).toEqual([
      ['call:1', 'native', 5n],
      ['call:3', 'native', 6n],
      ['call:4', 'native', 8n],
      ['call:5', 'native', 9n],
    ]);
  });

  it('is not credited by internal TRC-10 transfers, reverted ones, delegated stakes, or transfers of contracts to themselves', async () => {
    const spender = newTronKey();
    const internal = [
      internalTransaction(spender, us, [{}, { callValue: 900, tokenId: '1004777' }]),
      internalTransaction(spender, us, [{ callValue: 5 }], 'call', true),
      internalTransaction(spender, us, [{ callValue: 5 }], 'delegateResourceOfEnergy'),
      internalTransaction(spender, us, [{ callValue: 5 }], 'withdrawExpireUnfreezeWhileSuiciding'),
      internalTransaction(us, us, [{ callValue: 5 }]),
    ];
    node.submit(triggerContract(newTronKey(), spender), { internal });
    expect(await credits()).toEqual([]);
  });

  it('keeps its position whatever else a node is configured to list', async () => {
    const spender = newTronKey();
    const paid = internalTransaction(spender, us, [{ callValue: 5 }]);
    const vote = internalTransaction(spender, spender, [{ callValue: 3 }], 'voteWitness');
    const call = internalTransaction(spender, newTronKey(), [{}]);
    node.submit(triggerContract(newTronKey(), spender), { internal: [call, paid] });
    const plain = await credits();
    node.submit(triggerContract(newTronKey(), spender), { internal: [vote, call, vote, paid] });
    expect(await credits()).toEqual(plain);
    expect(plain).toEqual([['call:1', 'native', 5n]]);
  });
});

describe('TRC-20, by the logs of real contracts on a real EVM node', () => {
  let anvil: TestChain;
  let token: Awaited<ReturnType<TestChain['deployToken']>>;
  let listed: ChainAdapter;
  const hex = (key: Buffer): Hex => `0x${key.toString('hex')}`;

  beforeAll(async () => {
    anvil = await startAnvil();
    token = await anvil.deployToken();
    listed = adapters.create(node.url, { tokens: [token.address.toLowerCase()] });
  });
  afterAll(() => anvil.stop());

  /** Mines there, and takes what came of it over to Tron. */
  async function carry(hash: Promise<Hex>, outcome = {}): Promise<string> {
    const evmHash = await hash;
    await anvil.mine();
    return node.carry(anvil, evmHash, outcome);
  }

  it('is credited for a listed token, to the address behind 0x41', async () => {
    await carry(anvil.sendToken({ token: token.address, to: hex(us), value: 2_000_001n }));
    expect(await credits(listed)).toEqual([['log:0', token.address.toLowerCase(), 2_000_001n]]);
    expect(await anvil.tokenBalance(token.address, hex(us))).toBe(2_000_001n);
  });

  it('is not credited for an unlisted token, nor when no token is listed', async () => {
    const fake = await anvil.deploy(FakeToken, ['Tether USD', 'USDT']);
    await carry(anvil.call(fake, 'transfer', [hex(us), 10n ** 9n]));
    await carry(anvil.call(fake, 'forge', [anvil.account(0), hex(us), 10n ** 9n]));
    expect(await credits(listed)).toEqual([]);
    await carry(anvil.sendToken({ token: token.address, to: hex(us), value: 5n }));
    expect(await credits(adapter)).toEqual([]);
  });

  it.each(['REVERT', 'OUT_OF_ENERGY'])(
    'is not credited in a transaction that ended with %s',
    async (contractRet) => {
      await carry(anvil.sendToken({ token: token.address, to: hex(us), value: 5n }), { contractRet });
      expect(await credits(listed)).toEqual([]);
    },
  );

  it('is not credited by logs that a node returns for a failed transaction', async () => {
    await carry(anvil.sendToken({ token: token.address, to: hex(us), value: 5n }));
    const height = node.mine();
    node.faults.set('wallet/getblock', (answer) => failed(answer as Json));
    node.faults.set('wallet/gettransactioninfobyblocknum', (answer) =>
      (answer as Json[]).map((info) => ({ ...info, result: 'FAILED', receipt: { result: 'REVERT' } })),
    );
    expect(await creditsAt(listed, height, [us])).toEqual([]);
  });

  it('is not credited by logs that only resemble a transfer', async () => {
    const odd = await anvil.deploy(OddLogs);
    const oddly = adapters.create(node.url, { tokens: [odd.address.toLowerCase()] });
    const from = anvil.account(0);
    await carry(anvil.call(odd, 'fourTopics', [from, hex(us), 5n]));
    await carry(anvil.call(odd, 'twoTopics', [from, hex(us), 5n]));
    await carry(anvil.call(odd, 'oneTopic', [from, hex(us), 5n]));
    await carry(anvil.call(odd, 'anyData', [from, hex(us), '0x']));
    expect(await credits(oddly)).toEqual([]);
    await carry(anvil.call(odd, 'anyData', [from, hex(us), `0x${'5'.padStart(64, '0')}`]));
    expect(await credits(oddly)).toMatchObject([['log:0', odd.address.toLowerCase(), 5n]]);
  });

  it('keeps its position when it is mined again after others', async () => {
    const ours = await carry(anvil.sendToken({ token: token.address, to: hex(us), value: 5n }));
    const height = node.mine();
    const before = await creditsAt(listed, height, [us]);
    const other = await carry(anvil.sendToken({ token: token.address, to: hex(newTronKey()), value: 5n }));
    node.fork(1, [other, ours]);
    expect(await creditsAt(listed, height, [us])).toEqual(before);
    expect(before).toMatchObject([{ txHash: ours, ordinal: 'log:0', amount: 5n }]);
  });

  it('reports the recipients of a transaction, and none for a failed one', async () => {
    const txHash = await carry(anvil.sendToken({ token: token.address, to: hex(us), value: 5n }));
    const gone = await carry(anvil.sendToken({ token: token.address, to: hex(us), value: 5n }), {
      contractRet: 'REVERT',
    });
    node.mine(2);
    const asset = token.address.toLowerCase();
    expect(await listed.transaction(txHash)).toEqual({
      fate: 'mined',
      block: { height: expect.any(Number) as number, hash: expect.any(String) as string },
      confirmations: 2,
      succeeded: true,
      credits: [{ asset, key: us, amount: 5n }],
    });
    expect(await listed.transaction(gone)).toMatchObject({ fate: 'mined', succeeded: false, credits: [] });
  });
});

describe('the final block', () => {
  it.each([
    ['at the provider’s path', []],
    ['by the full node’s word where that path is not served', ['walletsolidity/getblock']],
  ])('is the solidified block, %s', async (_how, hidden: string[]) => {
    for (const path of hidden) node.hidden.add(path);
    const height = node.mine(3) - 2;
    node.solidify(height);
    const { hash } = (await adapter.header(height)) ?? {};
    expect(await adapter.tagged?.('finalized')).toEqual({ height, hash });
  });

  it('is unknown when the node fails', async () => {
    node.faults.set('walletsolidity/getblock', () => new TronRaw(503));
    await expect(adapter.tagged?.('finalized')).rejects.toThrow('HTTP 503');
    // Such a node is not begun with, either.
    await expect(adapter.probe()).rejects.toThrow('HTTP 503');
  });
});

function failed(block: Json): Json {
  return withTransactions(block, () => ({ ret: [{ contractRet: 'REVERT' }] }));
}
