import type { Fault } from './engine-harness.js';
import { rpcFault, type RpcHarness } from './rpc-faults.js';
import { answering, changed, type RpcFault, raw } from './rpc-proxy.js';

type Json = Record<string, unknown>;

const OTHER_HASH = `0x${'ab'.repeat(32)}`;
/** A foreign contract. */
const OTHER_ADDRESS = `0x${'c0ffee'.padStart(40, '0')}`;
/** Blocks that a stale replica is behind. */
const STALE_BY = 3;

const hex = (height: number) => `0x${height.toString(16)}`;
const mirrored = (hash: unknown) => `0x${String(hash).slice(2).split('').toReversed().join('')}`;

const everyItem = (change: (item: Json) => Json) => changed((list: Json[]) => list.map(change));
const everyBlock = (change: (block: Json) => Json) => changed((block: Json | null) => block && change(block));

/** Of the receipts of a block, and of the logs of a node that has no such receipts. */
const everyLogs = (change: (logs: Json[]) => Json[]): Record<string, RpcFault> => ({
  eth_getLogs: changed(change),
  eth_getBlockReceipts: everyItem((receipt) => ({ ...receipt, logs: change(receipt['logs'] as Json[]) })),
});
/** Of a block, although its header promises some. */
export const withoutLogs = everyLogs(() => []);
const everyLog = (change: Json) => everyLogs((logs) => logs.map((log) => ({ ...log, ...change })));

/** The word of one call and the word of the next do not agree. */
function flapping(): RpcFault {
  let count = 0;
  return async (call, answer) => {
    const reply = await answer();
    const block = reply.result as Json | null;
    return block && count++ % 2 === 1
      ? { ...reply, result: { ...block, hash: mirrored(block['hash']) } }
      : reply;
  };
}

/** Stands where the chain was, and knows nothing above. */
async function stale(harness: RpcHarness): Promise<Record<string, RpcFault>> {
  const { height } = await harness.driver.tip();
  const old = await harness.ask('eth_getBlockByNumber', hex(height - STALE_BY), false);
  return {
    eth_getBlockByNumber: async ({ id, params: [asked] }, answer) => {
      if (asked === 'latest') return { jsonrpc: '2.0', id, result: old };
      return Number(asked) > height - STALE_BY ? { jsonrpc: '2.0', id, result: null } : answer();
    },
  };
}

/** What a block without transactions says of itself. */
export const NO_TRANSACTIONS = {
  transactions: [],
  transactionsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  gasUsed: '0x0',
  logsBloom: `0x${'0'.repeat(512)}`,
};

/** Nodes were seen to do so for a while (NethermindEth/nethermind#1436). */
export const withoutTransactions = everyBlock((block) => ({
  ...block,
  transactions: [],
  logsBloom: `0x${'0'.repeat(512)}`,
}));

/** What a node of this family may say that is well-formed and not true. */
export const EVM_FAULTS: readonly Fault<RpcHarness>[] = [
  rpcFault('leaves out the logs that its header promises', withoutLogs),
  rpcFault(
    'leaves out one of several logs',
    everyLogs((logs) => logs.slice(1)),
  ),
  rpcFault('shows logs of another block', everyLog({ blockHash: OTHER_HASH })),
  rpcFault('shows logs of another contract', everyLog({ address: OTHER_ADDRESS })),
  rpcFault('shows logs of other amounts', everyLog({ data: `0x${'f'.padStart(64, '0')}` })),
  // Each transaction is then traced by itself.
  rpcFault('leaves out the traces', { trace_block: answering([]) }, 'credits'),
  rpcFault(
    'leaves out the traces of a transaction',
    { trace_block: changed((list: Json[]) => list.slice(1)) },
    'credits',
  ),
  rpcFault(
    'shows the traces of the block before',
    { trace_block: ({ params: [asked] }, answer) => answer([hex(Number(asked) - 1)]) },
    'credits',
  ),
  rpcFault('shows blocks without their transactions', { eth_getBlockByNumber: withoutTransactions }),
  rpcFault('has no receipts', { eth_getTransactionReceipt: answering(null) }),
  rpcFault('has receipts of another block', {
    eth_getTransactionReceipt: changed((receipt: Json) => ({ ...receipt, blockHash: OTHER_HASH })),
  }),
  rpcFault('says that what it shows has failed', {
    eth_getTransactionReceipt: changed((receipt: Json) => ({ ...receipt, status: '0x0' })),
  }),
  rpcFault('has other hashes', {
    eth_getBlockByNumber: everyBlock((block) => ({ ...block, hash: mirrored(block['hash']) })),
  }),
  rpcFault('has one hash for all blocks', {
    eth_getBlockByNumber: everyBlock((block) => ({ ...block, hash: OTHER_HASH })),
  }),
  rpcFault('shows blocks that do not follow each other', {
    eth_getBlockByNumber: everyBlock((block) => ({ ...block, parentHash: OTHER_HASH })),
  }),
  rpcFault('shows blocks under the next height', {
    eth_getBlockByNumber: everyBlock((block) => ({ ...block, number: hex(Number(block['number']) + 1) })),
  }),
  rpcFault('shows another header each time', async () => ({ eth_getBlockByNumber: flapping() }), 'either'),
  rpcFault('is a replica that has fallen behind', stale),
  rpcFault('announces blocks and does not have them', {
    eth_getBlockByNumber: async (call, answer) =>
      call.params[0] === 'latest' ? answer() : { jsonrpc: '2.0', id: call.id, result: null },
  }),
  rpcFault(
    'reports blocks that do not exist',
    {
      eth_getBlockByNumber: async (call, answer) => {
        const reply = await answer();
        if (call.params[0] !== 'latest') return reply;
        const block = reply.result as Json;
        return { ...reply, result: { ...block, number: hex(Number(block['number']) + 5), hash: OTHER_HASH } };
      },
    },
    'credits',
  ),
  rpcFault('is of another chain all of a sudden', { '*': raw('oops', 502), eth_chainId: answering('0x1') }),
];
