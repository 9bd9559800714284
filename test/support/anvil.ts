import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  hexToBigInt,
  toHex,
} from 'viem';
import { locateAnvil } from '../../src/demo/anvil-binary.js';
import { TestToken } from '../../src/demo/contracts/test-token.js';
import { callRpc } from '../../src/demo/json-rpc.js';

export type Hex = `0x${string}`;

/** A compiled contract, as scripts/compile-contracts.mjs writes it. */
export interface Artifact<A extends Abi = Abi> {
  abi: A;
  bytecode: Hex;
}

/** A contract on the test chain. */
export interface Deployed<A extends Abi = Abi> {
  address: Hex;
  abi: A;
}

type Name<A extends Abi, M extends 'pure' | 'view' | 'nonpayable' | 'payable'> = ContractFunctionName<A, M>;

interface SendOptions {
  /** Default: the first account. */
  from?: Hex;
  /** Wei. */
  value?: bigint;
}

const CHAIN_ID = 31_337;
const START_TIMEOUT_MS = 120_000;
/** Ends anvil when its input closes, which the system does however the test process dies. */
const GUARD = '"$0" "$@" & echo "pid $!"; cat > /dev/null; kill -9 $!';

export interface AnvilOptions {
  /** Seconds. */
  blockTime?: number;
  chainId?: number;
  /** Unix seconds of block 0; default: now. */
  time?: number;
  /** Unlocked, with ether; default: 10. */
  accounts?: number;
}

/** Starts an anvil of its own for one test file; without `blockTime` only {@link TestChain.mine} makes blocks. */
export async function startAnvil({
  blockTime,
  chainId = CHAIN_ID,
  time,
  accounts: count = 10,
}: AnvilOptions = {}): Promise<TestChain> {
  const pace = blockTime === undefined ? ['--no-mining'] : ['--block-time', String(blockTime)];
  // --prune-history keeps the states in memory; --cache-path keeps the rest out of the home directory.
  const cache = await mkdtemp(path.join(os.tmpdir(), 'gateway-test-anvil-'));
  const flags = ['--port', '0', '--chain-id', String(chainId), '--order', 'fifo', '--slots-in-an-epoch', '1'];
  const start = time === undefined ? [] : ['--timestamp', String(time)];
  const memory = ['--prune-history', '500', '--cache-path', cache, '--accounts', String(count)];
  const program = locateAnvil(process.env['ANVIL_BIN']);
  const child = spawn('sh', ['-c', GUARD, program, ...flags, ...start, ...memory, ...pace], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const { port, pid } = await readStart(child);
  const url = `http://127.0.0.1:${port}`;
  await callRpc(url, 'anvil_setLoggingEnabled', [false]);
  const accounts = (await callRpc(url, 'eth_accounts')) as Hex[];
  return new TestChain(url, chainId, accounts, pid, async () => {
    child.stdin.end();
    await ended;
    await rm(cache, { recursive: true, force: true });
  });
}

/** anvil names its port on stdout; waiting for a response instead could reach another node. */
function readStart(child: ChildProcess): Promise<{ port: number; pid: number }> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => {
      child.stdin?.end();
      reject(new Error(`anvil is not ready: ${said}`));
    }, START_TIMEOUT_MS);
    child.once('error', reject);
    child.stdout?.on('data', (chunk: Buffer) => {
      if (said.length > 10_000) return;
      said += chunk.toString('utf8');
      const [, pid] = /^pid (\d+)$/m.exec(said) ?? [];
      const [, port] = /^Listening on 127\.0\.0\.1:(\d+)$/m.exec(said) ?? [];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve({ port: Number(port), pid: Number(pid) });
    });
  });
}

/** A real EVM node with everything a test wants to do to a chain. */
export class TestChain {
  private lastSent: Promise<unknown> = Promise.resolve();

  constructor(
    /** JSON-RPC endpoint, for CHAIN_ETHEREUM_RPC_URL. */
    readonly url: string,
    readonly chainId: number,
    /** Unlocked, 10,000 ETH each. */
    readonly accounts: Hex[],
    readonly pid: number,
    private readonly end: () => Promise<void>,
    /** Of the node's own methods. */
    private readonly prefix: 'anvil' | 'hardhat' = 'anvil',
  ) {}

  /** @throws Error with the node's message */
  async rpc<T = unknown>(method: string, params: unknown[] = []): Promise<T> {
    return (await callRpc(this.url, method, params, 60_000)) as T;
  }

  async blockNumber(): Promise<number> {
    return Number(await this.rpc<Hex>('eth_blockNumber'));
  }

  async blockHash(height: number): Promise<Hex | null> {
    const block = await this.rpc<{ hash: Hex } | null>('eth_getBlockByNumber', [toHex(height), false]);
    return block?.hash ?? null;
  }

  /** Mines everything pending into the first of `blocks` new blocks. */
  async mine(blocks = 1): Promise<void> {
    await this.rpc(`${this.prefix}_mine`, [toHex(blocks)]);
  }

  /**
   * Replaces the last `depth` blocks by as many new ones. Dropped transactions do not come back by
   * themselves.
   * @param included transactions for the new blocks, with the position of their block among them: raw
   *   signed ones, or requests of unlocked accounts
   */
  async reorg(depth: number, included: [Hex | TransactionRequest, number][] = []): Promise<void> {
    const wire = included.map(([tx, index]) => {
      return [typeof tx === 'string' ? tx : toWire({ from: this.account(0), ...tx }), index];
    });
    await this.rpc('anvil_reorg', [depth, wire]);
  }

  /** Hands in a transaction; with manual mining it stays pending. Gas is fixed: a failing one is wanted too. */
  async send(request: TransactionRequest): Promise<Hex> {
    const defaults = { from: this.account(0), gas: 3_000_000n };
    const transaction = toWire({ ...defaults, ...request });
    // One at a time: of two at once of one account, the node gives both the same number and refuses the second.
    const sent = this.lastSent.then(() => this.rpc<Hex>('eth_sendTransaction', [transaction]));
    this.lastSent = sent.catch(() => null);
    return sent;
  }

  async sendEth({ to, value, from }: { to: Hex; value: bigint; from?: Hex }): Promise<Hex> {
    return this.send({ to, value, ...(from && { from }) });
  }

  /** An ERC-20 `transfer` of an artefact's contract that has one. */
  async sendToken(args: { token: Hex; to: Hex; value: bigint; from?: Hex }): Promise<Hex> {
    const { token, to, value, from } = args;
    return this.call({ address: token, abi: TestToken.abi }, 'transfer', [to, value], from ? { from } : {});
  }

  /** Deploys a contract and mines one block. */
  async deploy<const A extends Abi>(
    { abi, bytecode }: Artifact<A>,
    args: readonly unknown[] = [],
    { from, value }: SendOptions = {},
  ): Promise<Deployed<A>> {
    const data = encodeDeployData({ abi: abi as Abi, bytecode, args });
    const gas = 8_000_000n;
    const hash = await this.send({ data, gas, ...(from && { from }), ...(value !== undefined && { value }) });
    await this.mine();
    const receipt = await this.receipt(hash);
    if (receipt?.status !== '0x1' || !receipt.contractAddress)
      throw new Error('the contract was not deployed');
    return { address: receipt.contractAddress, abi };
  }

  /** Deploys an honest ERC-20 that gives the first account 1,000,000 whole tokens; mines one block. */
  async deployToken(symbol = 'USDT', decimals = 6): Promise<Deployed<typeof TestToken.abi>> {
    const supply = 1_000_000n * 10n ** BigInt(decimals);
    return this.deploy(TestToken, [`Test ${symbol}`, symbol, decimals, this.account(0), supply]);
  }

  /** Hands in a transaction that calls a contract. */
  async call<const A extends Abi, N extends Name<A, 'nonpayable' | 'payable'>>(
    { address, abi }: Deployed<A>,
    functionName: N,
    args: ContractFunctionArgs<A, 'nonpayable' | 'payable', N>,
    options: SendOptions = {},
  ): Promise<Hex> {
    const data = encodeFunctionData({
      abi: abi as Abi,
      functionName: functionName as string,
      args: args as readonly unknown[],
    });
    return this.send({ to: address, data, ...options });
  }

  /** Asks a contract without a transaction, at the tip. */
  async read<const A extends Abi, N extends Name<A, 'pure' | 'view'>>(
    { address, abi }: Deployed<A>,
    functionName: N,
    args: ContractFunctionArgs<A, 'pure' | 'view', N>,
  ): Promise<ContractFunctionReturnType<A, 'pure' | 'view', N>> {
    const data = encodeFunctionData({
      abi: abi as Abi,
      functionName: functionName as string,
      args: args as readonly unknown[],
    });
    const answer = await this.rpc<Hex>('eth_call', [{ to: address, data }, 'latest']);
    return decodeFunctionResult({
      abi: abi as Abi,
      functionName: functionName as string,
      data: answer,
    }) as ContractFunctionReturnType<A, 'pure' | 'view', N>;
  }

  /** Wei. */
  async balance(address: Hex): Promise<bigint> {
    return hexToBigInt(await this.rpc<Hex>('eth_getBalance', [address, 'latest']));
  }

  /** The token's smallest units. */
  async tokenBalance(token: Hex, address: Hex): Promise<bigint> {
    return this.read({ address: token, abi: TestToken.abi }, 'balanceOf', [address]);
  }

  /** Null while pending, and forever after a reorg that dropped it. */
  async receipt(hash: Hex): Promise<Receipt | null> {
    return this.rpc<Receipt | null>('eth_getTransactionReceipt', [hash]);
  }

  account(index: number): Hex {
    const account = this.accounts[index];
    if (!account) throw new Error(`anvil has no account ${index}`);
    return account;
  }

  /** Gives any address ether and lets it send without a key. */
  async fund(address: Hex, wei = 10_000n * 10n ** 18n): Promise<void> {
    await this.rpc(`${this.prefix}_setBalance`, [address, toHex(wei)]);
    await this.rpc(`${this.prefix}_impersonateAccount`, [address]);
  }

  /** Freezes the node as an outage would: connections open, but no answer comes. */
  freeze(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  thaw(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  /** Ends the node at once; nothing of it stays. */
  async stop(): Promise<void> {
    await this.end();
  }
}

/** A transaction of an unlocked account; amounts in wei. */
export interface TransactionRequest {
  from?: Hex;
  to?: Hex;
  value?: bigint;
  data?: Hex;
  gas?: bigint;
  nonce?: number;
  maxFeePerGas?: bigint;
  maxPriorityFeePerGas?: bigint;
}

/** The fields of a receipt that tests look at. */
export interface Receipt {
  status: Hex;
  blockHash: Hex;
  blockNumber: Hex;
  transactionIndex: Hex;
  contractAddress: Hex | null;
  logs: { address: Hex; topics: Hex[]; data: Hex; logIndex: Hex }[];
}

function toWire(tx: TransactionRequest): Record<string, Hex> {
  const isNumber = (value: unknown) => typeof value === 'bigint' || typeof value === 'number';
  return Object.fromEntries(
    Object.entries(tx).map(([key, value]) => [
      key,
      isNumber(value) ? toHex(value as bigint) : (value as Hex),
    ]),
  );
}
