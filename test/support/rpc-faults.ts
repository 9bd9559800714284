import type { EngineHarness, Fault } from './engine-harness.js';
import { answering, HANG, type RpcFault, raw, RESET, type RpcProxy } from './rpc-proxy.js';

/** A harness whose nodes speak JSON-RPC; the gateway asks `faulty` first. */
export interface RpcHarness extends EngineHarness {
  faulty: RpcProxy;
  /** The node's own answer. */
  ask<T>(method: string, ...params: unknown[]): Promise<T>;
}

/** Faults by method, or a function that derives them from the current state of the chain. */
export type RpcFaults<W> = Record<string, RpcFault> | ((harness: W) => Promise<Record<string, RpcFault>>);

export function rpcFault<W extends RpcHarness>(
  name: string,
  faults: RpcFaults<W>,
  meanwhile: Fault['meanwhile'] = 'waits',
): Fault<W> {
  return {
    name,
    meanwhile,
    begin: async (harness) =>
      harness.faulty.setFaults(typeof faults === 'function' ? await faults(harness) : faults),
  };
}

/** Responds correctly to `calls` calls, and with 503 from then on. */
export function breakingAfter(calls: number): Record<string, RpcFault> {
  let left = calls;
  return { '*': (_call, answer) => (left-- > 0 ? answer() : raw('', 503)(_call, answer)) };
}

/** More than the 32 MiB that an answer may have. */
const HUGE = Buffer.alloc(33 * 2 ** 20, ' ');

/** What any node, or whatever stands in front of it, may answer to any question. */
export const TRANSPORT_FAULTS: readonly Fault<RpcHarness>[] = [
  rpcFault('answers HTTP 500', { '*': raw('oops', 500) }),
  rpcFault('answers HTTP 429', { '*': raw('{"message":"slow down"}', 429) }),
  rpcFault('answers a web page', { '*': raw('<!doctype html><title>Sign in</title>') }),
  rpcFault('answers half of the JSON', { '*': raw('{"jsonrpc":"2.0","id":1,"resu') }),
  rpcFault('answers nothing at all', { '*': raw('') }),
  rpcFault('answers more than anybody wants to read', { '*': raw(HUGE) }),
  rpcFault('breaks off in the middle of an answer', { '*': raw(RESET) }),
  rpcFault('never answers', { '*': raw(HANG) }),
  rpcFault('answers another question', {
    '*': async (_call, answer) => ({ ...(await answer()), id: 'another' }),
  }),
  rpcFault('answers with an error', {
    '*': ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: 'node is down' } }),
  }),
  rpcFault('answers nonsense', { '*': answering('nonsense') }),
  rpcFault('answers null', { '*': answering(null) }),
];
