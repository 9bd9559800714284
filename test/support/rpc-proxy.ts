import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { fallSilent } from './silence.js';

/** One call as the proxy sees it. */
export interface SeenCall {
  id: unknown;
  method: string;
  params: unknown[];
}

/** What to say instead of the node; `answer` asks the node, with other parameters if there are any. */
export type RpcFault = (call: SeenCall, answer: (params?: unknown[]) => Promise<Reply>) => unknown;

/** A JSON-RPC reply. */
export interface Reply {
  jsonrpc?: string;
  id?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

/** No answer at all. */
export const HANG = Symbol('hang');
/** The beginning of an answer, and then the connection is gone. */
export const RESET = Symbol('reset');

/** {@link RESET}, with this for a beginning. */
export function resetMidway(response: ServerResponse, beginning: string): void {
  response.writeHead(200, { 'content-length': 1_000 });
  response.write(beginning, () => response.socket?.resetAndDestroy());
}

/** Sends these bytes with this status instead of JSON. */
export class RawAnswer {
  constructor(
    readonly body: string | Buffer | typeof HANG | typeof RESET,
    readonly status = 200,
  ) {}
}

/** The node's own answer with its result changed. */
export function changed(change: (result: never) => unknown): RpcFault {
  return async (_call, answer) => {
    const reply = await answer();
    return { ...reply, result: change(reply.result as never) };
  };
}

/** Another result in a well-formed answer. */
export function answering(result: unknown): RpcFault {
  return changed(() => result);
}

/** {@link RawAnswer} as a fault. */
export function raw(body: RawAnswer['body'], status?: number): RpcFault {
  return () => new RawAnswer(body, status);
}

/** A faulty node: JSON-RPC in front of a real one, with a script for each method. */
export class RpcProxy {
  readonly seen: SeenCall[] = [];
  /** Calls that were answered with a fault: a test of a fault shows that it happened. */
  faulted = 0;
  /** What to make of the answers to a batch. */
  onBatch: ((replies: Reply[]) => unknown) | null = null;
  onRequest: (headers: IncomingHttpHeaders) => void = () => {};
  private faults: Record<string, RpcFault> = {};
  private hidden: readonly string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {}

  static async start(target: string): Promise<RpcProxy> {
    const server = createServer();
    const proxy = new RpcProxy(server, target);
    server.on('request', (request, response) => void proxy.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Methods that the node says it does not have. */
  hide(methods: readonly string[]): void {
    this.hidden = methods;
  }

  /** Replaces all faults; a fault for '*' holds for every method without its own. */
  setFaults(faults: Record<string, RpcFault>): void {
    this.faults = faults;
    this.seen.length = 0;
    this.faulted = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as SeenCall | SeenCall[];
    this.onRequest(request.headers);
    const isBatch = Array.isArray(body);
    const replies: unknown[] = [];
    for (const call of isBatch ? body : [body]) replies.push(await this.answer(call));
    const raw = replies.find((reply) => reply instanceof RawAnswer);
    if (raw instanceof RawAnswer) {
      if (raw.body === HANG) return fallSilent();
      if (raw.body === RESET) {
        resetMidway(response, '{"jsonrpc":"2.0","result":');
        return;
      }
      response.writeHead(raw.status, { 'content-type': 'application/json' }).end(raw.body);
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isBatch ? this.batchReply(replies as Reply[]) : replies[0]));
  }

  private batchReply(replies: Reply[]): unknown {
    return this.onBatch ? this.onBatch(replies) : replies;
  }

  private async answer(call: SeenCall): Promise<unknown> {
    this.seen.push(call);
    if (this.hidden.includes(call.method)) {
      return { jsonrpc: '2.0', id: call.id, error: { code: -32601, message: 'Method not found' } };
    }
    const fault = this.faults[call.method] ?? this.faults['*'];
    if (!fault) return this.forward(call);
    this.faulted++;
    return fault(call, (params = call.params) => this.forward({ ...call, params }));
  }

  private async forward(call: SeenCall): Promise<Reply> {
    const { origin, pathname, username, password } = new URL(this.target);
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const answer = await fetch(`${origin}${pathname}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(username && { authorization }) },
      body: JSON.stringify(call),
    });
    return (await answer.json()) as Reply;
  }
}
