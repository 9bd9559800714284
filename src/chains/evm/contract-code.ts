import type { Chain } from '../chain.pure.js';
import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import type { JsonRpc } from '../json-rpc.js';
import { toCount } from './evm-wire.pure.js';

/** 0xef0100 and an address: the account is still that of a key, on every chain (EIP-7702). */
const DELEGATION = /^0xef0100[0-9a-f]{40}$/i;

/**
 * Whether an address is a contract, by the first node of the chain that answers.
 * @throws Error of the last one when none does
 */
export async function isContract(
  { slug, chainId }: Chain,
  nodes: readonly Pick<JsonRpc, 'batch'>[],
  key: Buffer,
): Promise<boolean> {
  let failure = new Error(`${slug} has no node`);
  for (const node of nodes)
    try {
      const [id, code] = await node.batch([
        ['eth_chainId', []],
        ['eth_getCode', [`0x${key.toString('hex')}`, 'latest']],
      ]);
      if (toCount(id, 'chain id') !== chainId)
        throw new ChainInconsistencyError(`${slug}: a node is of another chain`);
      if (typeof code !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(code))
        throw new ChainInconsistencyError(`${slug}: a node shows no code`);
      return code !== '0x' && !DELEGATION.test(code);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
  throw failure;
}
