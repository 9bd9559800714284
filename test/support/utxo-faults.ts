import type { Fault } from './engine-harness.js';
import { rpcFault, type RpcHarness } from './rpc-faults.js';
import { changed, type RpcFault } from './rpc-proxy.js';

const OTHER_HASH = 'ab'.repeat(32);
/** Blocks that a stale replica is behind. */
const STALE_BY = 3;
/** Bytes of a header: version 4, parent 32, Merkle root 32, time 4, bits 4, nonce 4. */
const IN_PARENT = 10;
const IN_ROOT = 40;
const IN_TIME = 70;
const HEADER_LENGTH = 80;
/** The script of the first transaction's only input; what witnesses hold is not in the Merkle root. */
const IN_COINBASE = 126;
/** Of a transaction: what it spends. */
const IN_OUTPOINT = 10;

/** One bit of an answer in hex is another. */
const flipped = (place: number): RpcFault =>
  changed((text: unknown) => {
    if (typeof text !== 'string') return text;
    const bytes = Buffer.from(text, 'hex');
    bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
    return bytes.toString('hex');
  });

/** Stands where the chain was, and knows nothing above. */
async function stale(harness: RpcHarness): Promise<Record<string, RpcFault>> {
  const { height } = await harness.driver.tip();
  const old = height - STALE_BY;
  const hash = await harness.ask<string>('getblockhash', old);
  return {
    getblockchaininfo: changed((info: object) => ({ ...info, blocks: old, bestblockhash: hash })),
    getblockhash: async ({ id, params: [asked] }, answer) =>
      Number(asked) > old ? { id, error: { code: -8, message: 'Block height out of range' } } : answer(),
  };
}

/** What a node of this family may say that is well-formed and not true. */
export const UTXO_FAULTS: readonly Fault<RpcHarness>[] = [
  rpcFault('sends the block before', async (harness) => ({
    getblock: async ({ params: [hash] }, answer) => {
      const header = await harness.ask<{ previousblockhash: string }>('getblockheader', hash);
      return answer([header.previousblockhash, false]);
    },
  })),
  rpcFault('sends blocks with another parent', { getblock: flipped(IN_PARENT) }),
  rpcFault('sends blocks with another Merkle root', { getblock: flipped(IN_ROOT) }),
  rpcFault('sends blocks with another header', { getblock: flipped(IN_TIME) }),
  rpcFault('sends blocks with another transaction', { getblock: flipped(IN_COINBASE) }),
  rpcFault('sends blocks without transactions', {
    getblock: changed((text: string) => `${text.slice(0, 2 * HEADER_LENGTH)}00`),
  }),
  rpcFault('sends blocks cut short', { getblock: changed((text: string) => text.slice(0, -40)) }),
  rpcFault('has hashes of no block', { getblockhash: changed(() => OTHER_HASH) }),
  rpcFault('has one hash for all blocks', async (harness) => {
    const { hash } = await harness.driver.tip();
    return { getblockhash: changed(() => hash) };
  }),
  rpcFault('shows each block one height too high', {
    getblockhash: ({ params: [asked] }, answer) => answer([Number(asked) - 1]),
  }),
  rpcFault('is a replica that has fallen behind', stale),
  rpcFault('announces blocks and does not have them', {
    getblockhash: ({ id }) => ({ id, error: { code: -8, message: 'Block height out of range' } }),
  }),
  rpcFault(
    'names another block as its newest',
    { getblockchaininfo: changed((info: object) => ({ ...info, bestblockhash: OTHER_HASH })) },
    'credits',
  ),
  rpcFault(
    'reports blocks that do not exist',
    {
      getblockchaininfo: changed((info: { blocks: number }) => ({
        ...info,
        blocks: info.blocks + 5,
        bestblockhash: OTHER_HASH,
      })),
    },
    'credits',
  ),
  rpcFault(
    'lists pending transactions that do not exist',
    { getrawmempool: changed((list: string[]) => [...list, OTHER_HASH]) },
    'credits',
  ),
  rpcFault('forgets all that waits', { getrawmempool: changed(() => []) }, 'credits'),
  rpcFault(
    'shows a waiting transaction under the hash of another',
    { getrawtransaction: flipped(IN_OUTPOINT) },
    'credits',
  ),
  rpcFault('speaks of another network', {
    getblockchaininfo: changed((info: object) => ({ ...info, chain: 'main' })),
    getblockhash: changed(() => 5),
  }),
];
