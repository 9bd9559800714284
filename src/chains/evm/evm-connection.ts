import { type Connect, firstUrl } from '../chain-connection.js';
import { JsonRpc } from '../json-rpc.js';
import { isContract } from './contract-code.js';
import { EvmAccounts } from './evm-accounts.js';
import { EvmAuditor } from './evm-auditor.js';
import { EvmPool } from './evm-pool.js';
import { NewHeads } from './new-heads.js';

export const connectEvm: Connect = (chain, config, { deadlineMs, clock }) => {
  const preferred = new JsonRpc(firstUrl(chain, config), { deadlineMs, clock });
  const nodes = [preferred, ...config.rpcUrls.slice(1).map((url) => new JsonRpc(url, { deadlineMs, clock }))];
  const heads = config.rpcUrls.map((url) => new NewHeads(url));
  const pool = new EvmPool(chain, nodes, clock, undefined, heads);
  return {
    adapter: pool,
    // An audit reads one node from end to end.
    auditor: new EvmAuditor(chain, preferred),
    scanner: null,
    isContract: (key) => isContract(chain, nodes, key),
    outputs: null,
    accounts: new EvmAccounts(chain, nodes),
    endpoints: () => pool.report(),
    close: async () => {
      await Promise.all([...nodes, ...heads].map((connection) => connection.close()));
    },
  };
};
