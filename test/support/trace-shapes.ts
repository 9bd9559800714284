import { changed, type RpcFault } from './rpc-proxy.js';

/** A row of `trace_block`, as far as its place goes. */
interface TraceRow {
  action: Record<string, unknown>;
  traceAddress: number[];
  transactionHash: string;
  type: string;
}

/** Of all nodes that are distinguished here. */
const PRECOMPILE = /^0x0{38}(0[1-9a-f]|1[01])$/;

/** OpenEthereum's rule, which Erigon, Nethermind and reth follow: no row for such a call, and no place either. */
export const withoutIdleCalls: RpcFault = changed((rows: TraceRow[]) => {
  const idle = rows.filter(
    ({ type, action: { to, value } }) =>
      type === 'call' && PRECOMPILE.test(String(to)) && Number(value) === 0,
  );
  return rows
    .filter((row) => !idle.includes(row))
    .map((row) => ({ ...row, traceAddress: row.traceAddress.map((_, depth) => placeIn(row, depth, idle)) }));
});

/** A node that also counts a call which never began (more value than there is) before all others. */
export const withCallsThatNeverBegan: RpcFault = changed((rows: TraceRow[]) =>
  rows.flatMap((row) => {
    const [first = 0, ...rest] = row.traceAddress;
    if (row.traceAddress.length > 0) return [{ ...row, traceAddress: [first + 1, ...rest] }];
    const never = { ...row, type: 'call', traceAddress: [0], error: 'insufficient balance', result: null };
    return [row, { ...never, action: { ...row.action, callType: 'call' } }];
  }),
);

function placeIn({ traceAddress, transactionHash }: TraceRow, depth: number, idle: TraceRow[]): number {
  const [caller, place] = [traceAddress.slice(0, depth).join(), traceAddress[depth] ?? 0];
  const before = idle.filter(
    ({ transactionHash: hash, traceAddress: other }) =>
      hash === transactionHash &&
      other.length === depth + 1 &&
      other.slice(0, depth).join() === caller &&
      (other[depth] ?? 0) < place,
  );
  return place - before.length;
}
