import type { EngineWorld, Lie } from './engine-world.js';
import { answering, HANG, type Lie as Tale, raw, RESET, type RpcProxy } from './rpc-proxy.js';

/** A world whose nodes speak JSON-RPC; the gateway asks `liar` first. */
export interface RpcWorld extends EngineWorld {
  liar: RpcProxy;
  /** The node's own answer. */
  ask<T>(method: string, ...params: unknown[]): Promise<T>;
}

/** Tales by method, or how to make them up from what is true at the moment. */
export type Tales<W> = Record<string, Tale> | ((world: W) => Promise<Record<string, Tale>>);

export function rpcLie<W extends RpcWorld>(
  name: string,
  tales: Tales<W>,
  meanwhile: Lie['meanwhile'] = 'waits',
): Lie<W> {
  return {
    name,
    meanwhile,
    begin: async (world) => world.liar.tell(typeof tales === 'function' ? await tales(world) : tales),
  };
}

/** Honest for so many calls, and then not there any more. */
export function breakingAfter(calls: number): Record<string, Tale> {
  let left = calls;
  return { '*': (_call, answer) => (left-- > 0 ? answer() : raw('', 503)(_call, answer)) };
}

/** More than the 32 MiB that an answer may have. */
const HUGE = Buffer.alloc(33 * 2 ** 20, ' ');

/** What any node, or whatever stands in front of it, may answer to any question. */
export const TRANSPORT_LIES: readonly Lie<RpcWorld>[] = [
  rpcLie('answers HTTP 500', { '*': raw('oops', 500) }),
  rpcLie('answers HTTP 429', { '*': raw('{"message":"slow down"}', 429) }),
  rpcLie('answers a web page', { '*': raw('<!doctype html><title>Sign in</title>') }),
  rpcLie('answers half of the JSON', { '*': raw('{"jsonrpc":"2.0","id":1,"resu') }),
  rpcLie('answers nothing at all', { '*': raw('') }),
  rpcLie('answers more than anybody wants to read', { '*': raw(HUGE) }),
  rpcLie('breaks off in the middle of an answer', { '*': raw(RESET) }),
  rpcLie('never answers', { '*': raw(HANG) }),
  rpcLie('answers another question', {
    '*': async (_call, answer) => ({ ...(await answer()), id: 'another' }),
  }),
  rpcLie('answers with an error', {
    '*': ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: 'node is down' } }),
  }),
  rpcLie('answers nonsense', { '*': answering('nonsense') }),
  rpcLie('answers null', { '*': answering(null) }),
];
