import { type Connect, firstUrl } from '../chain-connection.js';
import { TronAdapter } from './tron-adapter.js';
import { TronApi } from './tron-api.js';
import { TronAuditor } from './tron-auditor.js';

export const connectTron: Connect = (chain, config, { deadlineMs, clock }) => {
  const api = new TronApi(firstUrl(chain, config), config.apiKey, { deadlineMs, clock });
  const adapter = new TronAdapter(chain, api);
  return {
    adapter,
    auditor: new TronAuditor(api, adapter),
    scanner: null,
    outputs: null,
    endpoints: () => [],
    close: () => api.close(),
  };
};
