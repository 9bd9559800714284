import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseExact, stringifyExact } from '../../src/platform/kernel/exact-json.pure.js';
import type { Output } from './chain-driver.js';
import type { Hex, TestChain } from './anvil.js';
import { HANG, RESET, resetMidway } from './rpc-proxy.js';
import { fallSilent } from './silence.js';
import {
  ascii,
  type Block,
  blockJson,
  type Contract,
  infoJson,
  internalTransaction,
  type Json,
  minedJson,
  type Outcome,
  sha256,
  type Transaction,
  transactionJson,
  transferContract,
  triggerContract,
} from './tron-shapes.js';

/** Of Nile, a test network: the adapter demands a first block that it knows. */
export const NILE_GENESIS = '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc';
/** Every three seconds, from a moment in 2026. */
const BLOCK_MS = 3_000;
const FIRST_TIME = 1_777_445_121_000;

/** What a test puts in the place of the node's answer, also {@link HANG} or {@link RESET}; nothing: the answer itself. */
export type TronFault = (answer: unknown, question: Json) => unknown;

/** Any body with any status. */
export class TronRaw {
  constructor(
    readonly status: number,
    readonly body = '',
  ) {}
}

/**
 * Plays a Tron node: it has blocks, a queue of transactions, a solidified height, and can fork, go back and be faulty. It
 * executes nothing: a transaction brings along what is to come of it.
 */
export class TronNode {
  readonly seen: { path: string; question: Json; headers: IncomingMessage['headers'] }[] = [];
  /** By path, e.g. 'wallet/getblock'; '*' holds for every path without its own. */
  readonly faults = new Map<string, TronFault>();
  /** Responses changed by a fault since {@link TronNode.setFaults}. */
  faulted = 0;
  /** `vm.saveInternalTx`: without it the node keeps no internal transactions, as if there had been none. */
  savesInternal = true;
  /** Paths that this node does not serve. */
  readonly hidden = new Set<string>();
  private readonly chain: Block[] = [];
  private readonly known = new Map<string, Transaction>();
  private pending: Transaction[] = [];
  private solidified = 0;

  private constructor(private readonly server: Server) {
    this.chain.push({ height: 0, id: NILE_GENESIS, parentId: '0'.repeat(64), time: 0, transactions: [] });
  }

  static async start(): Promise<TronNode> {
    const server = createServer();
    const node = new TronNode(server);
    server.on('request', (request, response) => void node.serve(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  get height(): number {
    return this.chain.length - 1;
  }

  get tip(): { height: number; hash: string } {
    return { height: this.height, hash: this.chain.at(-1)?.id ?? '' };
  }

  /** Replaces all faults. */
  setFaults(faults: Readonly<Record<string, TronFault>>): void {
    this.faults.clear();
    for (const [path, fault] of Object.entries(faults)) this.faults.set(path, fault);
    this.faulted = 0;
  }

  /** Creates a transaction without submitting it; returns its hash. */
  sign(contract: Contract, outcome: Partial<Outcome> = {}, funds?: string): string {
    const txHash = sha256(randomBytes(16).toString('hex'));
    const transaction = { txHash, contract, contractRet: 'SUCCESS', ...outcome, ...(funds && { funds }) };
    this.known.set(txHash, transaction);
    return txHash;
  }

  /** Hands in a transaction; answers its hash. */
  submit(contract: Contract, outcome: Partial<Outcome> = {}): string {
    const txHash = this.sign(contract, outcome);
    this.handIn(txHash);
    return txHash;
  }

  /** Also one that waits already, or that a block holds. */
  handIn(txHash: string): void {
    const mined = this.chain.flatMap(({ transactions }) => transactions);
    if (![...mined, ...this.pending].some((one) => one.txHash === txHash))
      this.pending.push(this.get(txHash));
  }

  /** A transaction that waits does so no more. */
  forget(txHash: string): void {
    this.pending = this.pending.filter((one) => one.txHash !== txHash);
  }

  /** TRX, by a transfer to one, by a contract that pays on to several. */
  pay(outputs: readonly Output[], outcome: Partial<Outcome> = {}): string {
    const [only] = outputs;
    if (only && outputs.length === 1)
      return this.submit(transferContract(newTronKey(), only.key, only.amount), outcome);
    const spender = newTronKey();
    const internal = outputs.map(({ key, amount }) =>
      internalTransaction(spender, key, [{ callValue: amount }]),
    );
    return this.submit(triggerContract(newTronKey(), spender), { internal, ...outcome });
  }

  /** The logs of a mined transaction of a real EVM node, as what came of a call here. */
  async carry(chain: TestChain, evmHash: Hex, outcome: Partial<Outcome> = {}): Promise<string> {
    const receipt = await chain.receipt(evmHash);
    if (!receipt) throw new Error(`${evmHash} is not mined`);
    const logs = receipt.logs.map(({ address, topics, data }) => ({
      // Without 0x41, without 0x; no data is no field.
      address: bare(address),
      topics: topics.map(bare),
      ...(data !== '0x' && { data: bare(data) }),
    }));
    return this.submit(triggerContract(newTronKey(), newTronKey()), { logs, ...outcome });
  }

  /** The queue goes into the first block. @returns the new tip's height */
  mine(blocks = 1): number {
    for (let i = 0; i < blocks; i++) {
      this.append(this.pending);
      this.pending = [];
    }
    return this.height;
  }

  /** Replaces the last blocks; `keep` is mined again in the first new one, in that order, the rest is forgotten. */
  fork(depth: number, keep: readonly string[] = []): void {
    this.chain.length -= depth;
    this.append(keep.map((hash) => this.get(hash)));
    for (let i = 1; i < depth; i++) this.append([]);
  }

  /** Takes the last blocks away, and what they held. */
  rollback(depth: number): void {
    this.chain.length -= depth;
  }

  /** Everything up to this height is final. */
  solidify(height = this.height): void {
    this.solidified = height;
  }

  private append(wanted: readonly Transaction[]): void {
    const spent = new Set(this.chain.flatMap(({ transactions }) => transactions).map(({ funds }) => funds));
    // An account that has paid out all it had cannot pay once more.
    const transactions = wanted.filter(({ funds }) => funds === undefined || !spent.has(funds));
    const parentId = this.chain.at(-1)?.id ?? '';
    const height = this.chain.length;
    // The first eight bytes are the height (java-tron, BlockCapsule.BlockId).
    const id = `${height.toString(16).padStart(16, '0')}${sha256(parentId + randomBytes(8).toString('hex')).slice(16)}`;
    const time = FIRST_TIME + height * BLOCK_MS;
    this.chain.push({ height, id, parentId, time, transactions });
  }

  private info(transaction: Transaction, block: Block): Json {
    const { internal_transactions: internal, ...info } = infoJson(transaction, block);
    return internal && this.savesInternal ? { ...info, internal_transactions: internal } : info;
  }

  /** What an account has at a height, in sun: what came, less what it sent itself. */
  balance(address: string, height: number): { balance: bigint; lastOperation: number } {
    let [balance, lastOperation] = [0n, 0];
    for (const { transactions, time } of this.chain.slice(0, height + 1)) {
      for (const { contract, contractRet, internal = [] } of transactions) {
        const { owner_address: owner, to_address: to, amount } = contract.value;
        if (owner === address) lastOperation = time;
        if (contractRet !== 'SUCCESS') continue;
        if (contract.type === 'TransferContract' && to === address) balance += BigInt(amount as bigint);
        if (contract.type === 'TransferContract' && owner === address) balance -= BigInt(amount as bigint);
        for (const one of internal) {
          const [trx] = one['callValueInfo'] as { callValue?: bigint }[];
          const isMoved = one['rejected'] !== true && one['note'] === ascii('call');
          if (isMoved && one['transferTo_address'] === address) balance += BigInt(trx?.callValue ?? 0);
        }
      }
    }
    return { balance, lastOperation };
  }

  /** Message Account at the solidified block. */
  private account(address: string): Json {
    const { balance, lastOperation } = this.balance(address, this.solidified);
    if (balance === 0n && lastOperation === 0) return {};
    return {
      address,
      ...(balance > 0n && { balance }),
      create_time: FIRST_TIME,
      ...(lastOperation > 0 && { latest_opration_time: lastOperation }),
    };
  }

  private get(txHash: string): Transaction {
    const transaction = this.known.get(txHash);
    if (!transaction) throw new Error(`${txHash} was never handed in`);
    return transaction;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/^\//, '');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const question = parseExact(Buffer.concat(chunks).toString('utf8')) as Json;
    this.seen.push({ path, question, headers: request.headers });
    const answer = this.hidden.has(path)
      ? new TronRaw(404, '<html>Not Found</html>')
      : this.answer(path, question);
    const fault = this.faults.get(path) ?? this.faults.get('*');
    if (fault) this.faulted++;
    const said = fault?.(answer, question) ?? answer;
    if (said === HANG) return fallSilent();
    if (said === RESET) {
      resetMidway(response, '{"blockID":');
      return;
    }
    const { status, body } = said instanceof TronRaw ? said : new TronRaw(200, `${stringifyExact(said)}\n`);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  }

  /** `{}` for what is not there (each servlet's fillResponse). */
  answer(path: string, question: Json): unknown {
    switch (path) {
      case 'wallet/getblock': {
        const height = question['id_or_num'] === undefined ? this.height : Number(question['id_or_num']);
        const block = this.chain[height];
        return block ? blockJson(block, question['detail'] === true) : {};
      }
      case 'walletsolidity/getblock': {
        const block = this.chain[this.solidified];
        return block ? blockJson(block, false) : {};
      }
      case 'wallet/getnodeinfo': {
        const [tip, solid] = [this.chain[this.height], this.chain[this.solidified]];
        return {
          activeConnectCount: 3,
          block: `Num:${tip?.height},ID:${tip?.id}`,
          solidityBlock: `Num:${solid?.height},ID:${solid?.id}`,
          machineInfo: { cpuRate: 0.0666 },
        };
      }
      case 'wallet/gettransactioninfobyblocknum': {
        const block = this.chain[Number(question['num'])];
        return block?.transactions.map((transaction) => this.info(transaction, block)) ?? [];
      }
      case 'wallet/gettransactioninfobyid': {
        const block = this.chain.find(({ transactions }) =>
          transactions.some(({ txHash }) => txHash === question['value']),
        );
        return block ? this.info(this.get(String(question['value'])), block) : {};
      }
      case 'wallet/gettransactionbyid': {
        const found = this.chain
          .flatMap(({ transactions }) => transactions)
          .find(({ txHash }) => txHash === question['value']);
        return found ? minedJson(found) : {};
      }
      case 'walletsolidity/getaccount':
        return this.account(String(question['address']));
      case 'wallet/gettransactionfrompending': {
        const found = this.pending.find(({ txHash }) => txHash === question['value']);
        return found ? transactionJson(found) : {};
      }
      default:
        return new TronRaw(404, '<html>Not Found</html>');
    }
  }
}

/** The 20 bytes of an unused address. */
export function newTronKey(): Buffer {
  return randomBytes(20);
}

function bare(hex: string): string {
  return hex.slice(2).toLowerCase();
}
