import { createConfig } from 'ponder';

const {
  BENCH_RPC = '',
  BENCH_DATABASE = '',
  BENCH_TOKEN = '',
  BENCH_FROM = '0',
  BENCH_TO = '0',
} = process.env;

/** The peer's best case: the one contract, the exact range, no cap of requests but its own. */
export default createConfig({
  database: { kind: 'postgres', connectionString: BENCH_DATABASE },
  chains: { dev: { id: 31_337, rpc: BENCH_RPC } },
  contracts: {
    Token: {
      chain: 'dev',
      abi: [
        {
          type: 'event',
          name: 'Transfer',
          inputs: [
            { name: 'from', type: 'address', indexed: true },
            { name: 'to', type: 'address', indexed: true },
            { name: 'value', type: 'uint256', indexed: false },
          ],
        },
      ],
      address: BENCH_TOKEN as `0x${string}`,
      startBlock: Number(BENCH_FROM),
      endBlock: Number(BENCH_TO),
    },
  },
});
