import type { TransferClaim } from '../chain-auditor.pure.js';
import type { Chain } from '../chain.pure.js';
import type { RpcCall } from '../json-rpc.js';
import { EvmAuditor } from './evm-auditor.js';
import { TRANSFER_TOPIC } from './evm-transfer-logs.pure.js';

const TOKEN = `0x${'aa'.repeat(20)}`;
const BLOCK = `0x${'bb'.repeat(32)}`;
const KEY = Buffer.alloc(20, 0xcc);
const SENDER = `0x${'dd'.repeat(20)}`;
const hashOf = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;

/** A node that counts what it is asked, and how often each receipt is read. */
class CountingNode {
  readonly asked: string[] = [];
  reads = 0;

  constructor(private readonly logsOf: number) {}

  async batch(calls: readonly RpcCall[]): Promise<unknown[]> {
    return calls.map(([method, parameters]) => this.answer(method, parameters));
  }

  async call(method: string, ...parameters: unknown[]): Promise<unknown> {
    return this.answer(method, parameters);
  }

  async callCut(_ms: number, method: string, ...parameters: unknown[]): Promise<unknown> {
    return this.answer(method, parameters);
  }

  private answer(method: string, [subject]: readonly unknown[]): unknown {
    this.asked.push(method);
    if (method === 'eth_getBlockByNumber') return this.block();
    if (method === 'eth_getTransactionReceipt') return this.receipt(String(subject));
    if (method === 'trace_transaction') return this.traces(String(subject));
    throw new Error(`nobody asks ${method}`);
  }

  private block(): object {
    const number = '0x1';
    return {
      number,
      hash: BLOCK,
      parentHash: hashOf(0),
      timestamp: '0x1',
      logsBloom: `0x${'00'.repeat(256)}`,
      transactions: [],
    };
  }

  private receipt(transactionHash: string): object {
    const count = () => (this.reads += 1);
    const logs = Array.from({ length: this.logsOf }, (_, i) => ({
      address: TOKEN,
      topics: [TRANSFER_TOPIC, word(SENDER), word(`0x${KEY.toString('hex')}`)],
      data: hashOf(1),
      blockHash: BLOCK,
      transactionHash,
      logIndex: `0x${i.toString(16)}`,
    }));
    return {
      transactionHash,
      blockHash: BLOCK,
      from: `0x${'22'.repeat(20)}`,
      status: '0x1',
      get logs() {
        count();
        return logs;
      },
    };
  }

  private traces(transactionHash: string): object[] {
    const root = {
      type: 'call',
      traceAddress: [],
      action: { callType: 'call', from: SENDER, to: TOKEN, value: '0x0' },
    };
    const calls = Array.from({ length: this.logsOf }, (_, i) => ({
      type: 'call',
      traceAddress: [i],
      action: { callType: 'call', from: TOKEN, to: `0x${KEY.toString('hex')}`, value: '0x1' },
    }));
    return [{ ...root, subtraces: this.logsOf }, ...calls.map((call) => ({ ...call, subtraces: 0 }))].map(
      (trace) => ({
        ...trace,
        result: { gasUsed: '0x0', output: '0x' },
        transactionHash,
        blockHash: BLOCK,
      }),
    );
  }
}

const claim = (txHash: string, ordinal: string, asset: string): TransferClaim => ({
  txHash,
  ordinal,
  height: 1,
  blockHash: BLOCK,
  asset,
  key: KEY,
  amount: 1n,
});
const auditorOf = (node: CountingNode) =>
  new EvmAuditor({ assets: [{ asset: 'native' }, { asset: TOKEN }] } as unknown as Chain, node as never);

describe('EvmAuditor', () => {
  it('reads a transaction once, however many transfers a stranger has put into it', async () => {
    const node = new CountingNode(500);
    const hashes = Array.from({ length: 50 }, (_, n) => hashOf(n + 1));
    const claims = hashes.flatMap((hash) =>
      Array.from({ length: 500 }, (_, i) => claim(hash, `log:${i}`, TOKEN)),
    );
    const reasons = await auditorOf(node).examine(claims);
    expect(reasons).toHaveLength(25_000);
    expect(reasons.every((reason) => reason === null)).toBe(true);
    expect(node.asked.filter((method) => method === 'eth_getTransactionReceipt')).toHaveLength(50);
    expect(node.reads).toBe(50);
  });

  it('traces a transaction once, however many calls of it pay an address', async () => {
    const node = new CountingNode(400);
    const claims = Array.from({ length: 400 }, (_, i) => claim(hashOf(1), `call:${i}`, 'native'));
    expect(new Set(await auditorOf(node).examine(claims))).toEqual(new Set([null]));
    expect(node.asked.filter((method) => method === 'trace_transaction')).toHaveLength(1);
  });

  it('answers in the order of the claims, each for itself', async () => {
    const node = new CountingNode(2);
    const [one, other] = [hashOf(1), hashOf(2)];
    const asked = [claim(other, 'log:1', TOKEN), claim(one, 'log:2', TOKEN), claim(other, 'log:0', 'native')];
    const [fine, missing, elsewhere] = await auditorOf(node).examine([
      ...asked,
      { ...claim(one, 'log:0', TOKEN), height: 1, blockHash: hashOf(9) },
    ]);
    expect(fine).toBeNull();
    expect(missing).toContain('moves nothing at log:2');
    expect(elsewhere).toContain(`it moves ${TOKEN}`);
  });
});
