import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { freePort } from './free-port.js';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { RawTx } from '@scure/btc-signer';
import { JsonFloat, parseExact, stringifyExact } from '../../src/platform/kernel/exact-json.pure.js';
import { parseDecimal } from '../../src/money/money.js';

/** Of Debian's package: `litecoind` in the PATH is a shell script around it, whose pid would not be the node's. */
const DEBIAN = '/usr/lib/litecoin/litecoind';
const START_TIMEOUT_MS = 120_000;
/** Ends the node when its input closes, which the system does however the test process dies. */
const GUARD = '"$0" "$@" & echo "pid $!"; cat > /dev/null; kill -9 $!';
/** Coins of this many blocks can be spent at once (a coinbase matures after 100). */
const SPENDABLE_BLOCKS = 40;
/** Confirmations; a coinbase that becomes young again cannot be spent (it matures after 100). */
const OLD = 201;
/** What the wallet's first coins are cut into, so that all payments of a long test find one each. */
const OLD_COINS = 450;
const OLD_COIN = 10_000_000n;
/** Smallest units that the test transactions pay to the miner, by default. */
export const FEE = 10_000n;

export interface NodeOptions {
  /** Litecoin's extension blocks from height 432 on; off, the chain is a plain Bitcoin Core 0.21. */
  mweb?: boolean;
  /** Without it the node finds mined transactions by their block only. */
  txindex?: boolean;
  /** Spends only coins so old that forks of 100 blocks leave them alone. */
  oldCoins?: boolean;
  /** Unix seconds: the node's clock, which then stands still until {@link UtxoNode.setTime}. */
  time?: number;
}

/** An unspent coin of the node's own wallet. */
export interface Coin {
  txid: string;
  vout: number;
  amount: bigint;
}

/** Where to, as the script; never an address. */
export interface ScriptOutput {
  key: Buffer;
  amount: bigint;
}

const program = process.env['BITCOIND_BIN'] ?? DEBIAN;
const isBitcoin = process.env['BITCOIND_BIN'] !== undefined;

/**
 * A group of tests on a real node. A newcomer's machine may have none: there the group is skipped and says why.
 * CI installs one, so there a missing node is a failure.
 */
export function describeWithNode(name: string, tests: () => void): void {
  if (existsSync(program) || process.env['CI'] || isBitcoin) describe(name, tests);
  else
    describe.skip(
      `${name} (skipped: no litecoind here; apt-get install litecoind, or set BITCOIND_BIN)`,
      tests,
    );
}

/** The same for what Litecoin alone has, so never on a node named by BITCOIND_BIN. */
export function describeWithLitecoin(name: string, tests: () => void): void {
  if (isBitcoin) describe.skip(`${name} (skipped: BITCOIND_BIN is set, and this is about Litecoin)`, tests);
  else describeWithNode(name, tests);
}

/** Starts a regtest node of its own for one test file, with coins to spend; blocks come from {@link UtxoNode.mine} only. */
export async function startUtxoNode({
  mweb = false,
  txindex = true,
  oldCoins = false,
  time,
}: NodeOptions = {}): Promise<UtxoNode> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'gateway-test-utxo-'));
  const [port, password] = [await freePort(), randomBytes(16).toString('hex')];
  const flags = [
    '-regtest',
    '-server',
    `-txindex=${txindex ? 1 : 0}`,
    '-listen=0',
    '-printtoconsole=0',
    // After every block a regtest node goes through all that it knows, holding its main lock; no other network's does.
    '-checkblockindex=0',
    '-checkmempool=0',
    // Tests pay single units, which nodes would not relay.
    '-acceptnonstdtxn=1',
    '-fallbackfee=0.0002',
    ...(time === undefined ? [] : [`-mocktime=${time}`]),
    // Each gateway keeps one thread waiting for blocks, a killed one for some seconds more.
    '-rpcthreads=16',
    '-rpcworkqueue=256',
    `-datadir=${directory}`,
    '-rpcuser=test',
    `-rpcpassword=${password}`,
    `-rpcport=${port}`,
    '-rpcbind=127.0.0.1',
    '-rpcallowip=127.0.0.1',
    // Litecoin replaces nothing by default, and its extension blocks are not Bitcoin's.
    ...(isBitcoin ? [] : ['-mempoolreplacement=1', ...(mweb ? [] : ['-vbparams=mweb:-2:0'])]),
  ];
  const child = spawn('sh', ['-c', GUARD, program, ...flags], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const pid = await readPid(child.stdout);
  const node = new UtxoNode(`http://test:${password}@127.0.0.1:${port}`, pid, async () => {
    child.stdin.end();
    await ended;
    await rm(directory, { recursive: true, force: true });
  });
  await answering(node, child);
  await node.rpc('createwallet', ['miner']);
  await node.mine(100 + SPENDABLE_BLOCKS);
  if (oldCoins) await node.ageCoins();
  return node;
}

/** Printed first by the guard process; the node itself prints nothing. */
async function readPid(output: Readable): Promise<number> {
  const [first] = (await once(createInterface(output), 'line')) as [string];
  return Number(first.replace('pid ', ''));
}

async function answering(node: UtxoNode, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await node.rpc('getblockcount');
      return;
    } catch (error) {
      if (performance.now() > deadline || child.exitCode !== null) throw error;
    }
    await delay(50);
  }
}

/** A real UTXO node, with everything that a test does to a chain. */
export class UtxoNode {
  /** What transactions of ours spend that are in no block yet, or are being made. */
  private readonly used = new Set<string>();
  /** Confirmations that coins have before they are spent here. */
  private coinAge = 1;

  constructor(
    /** JSON-RPC endpoint with its credentials, for CHAIN_BITCOIN_RPC_URL. */
    readonly url: string,
    /** Of the node itself. */
    readonly pid: number,
    private readonly end: () => Promise<void>,
  ) {}

  stop(): Promise<void> {
    return this.end();
  }

  /** Freezes the node as an outage would: connections open, but no answer comes. */
  freeze(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  thaw(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  /** @throws Error with the node's message */
  async rpc<T = unknown>(method: string, params: unknown[] = []): Promise<T> {
    const { origin, username, password } = new URL(this.url);
    const response = await fetch(origin, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
      body: stringifyExact({ jsonrpc: '1.0', id: 1, method, params }),
      signal: AbortSignal.timeout(60_000),
    });
    const { result, error } = parseExact(await response.text()) as {
      result: T;
      error: { message: string } | null;
    };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  height(): Promise<number> {
    return this.rpc<number>('getblockcount');
  }

  hashAt(height: number): Promise<string> {
    return this.rpc<string>('getblockhash', [height]);
  }

  newAddress(): Promise<string> {
    return this.rpc<string>('getnewaddress', ['', 'bech32']);
  }

  /** An output script of the node's own wallet. */
  async newScript(): Promise<Buffer> {
    const { scriptPubKey } = await this.rpc<{ scriptPubKey: string }>('getaddressinfo', [
      await this.newAddress(),
    ]);
    return Buffer.from(scriptPubKey, 'hex');
  }

  /**
   * Mines what the mempool holds into the first of `blocks` new blocks. Always to a new address: otherwise a branch
   * mined in the same second could be the very block that was just taken away.
   * @returns the new tip's height
   */
  async mine(blocks = 1): Promise<number> {
    await this.rpc('generatetoaddress', [blocks, await this.newAddress()]);
    this.used.clear();
    return this.height();
  }

  /** One block with these transactions (hashes, or raw) and no others; what else waits goes on waiting. */
  async mineOnly(transactions: string[] = []): Promise<void> {
    await this.rpc('generateblock', [await this.newAddress(), transactions]);
  }

  /** Takes the last blocks away; their transactions wait again. */
  async rollback(depth: number): Promise<void> {
    const height = await this.height();
    await this.rpc('invalidateblock', [await this.hashAt(height - depth + 1)]);
  }

  /** Replaces the last blocks; `keep` is mined again in the first new one, the rest waits. */
  async fork(depth: number, keep: string[] = []): Promise<void> {
    await this.rollback(depth);
    const address = await this.newAddress();
    for (let i = 0; i < depth; i++) await this.rpc('generateblock', [address, i === 0 ? keep : []]);
  }

  /** The next blocks are made at that time (Unix seconds), or right after the last ones. */
  async setTime(time: number): Promise<void> {
    await this.rpc('setmocktime', [time]);
  }

  /** From now on only old coins are spent, and there are many of them. */
  async ageCoins(): Promise<void> {
    const key = await this.newScript();
    const coins = Array.from({ length: OLD_COINS }, () => ({ key, amount: OLD_COIN }));
    await this.pay(coins, 5n * FEE);
    await this.mine(OLD);
    this.coinAge = OLD;
  }

  /** A coin of a block, worth at least that much, that no call of this spends again before the next {@link mine}. */
  async coin(atLeast: bigint): Promise<Coin> {
    type Row = { txid: string; vout: number; amount: number | JsonFloat };
    const rows = await this.rpc<Row[]>('listunspent', [this.coinAge]);
    for (const { txid, vout, amount } of rows) {
      const outpoint = `${txid}:${vout}`;
      const units = parseDecimal(amount instanceof JsonFloat ? amount.text : String(amount), 8);
      if (units < atLeast || this.used.has(outpoint)) continue;
      this.used.add(outpoint);
      return { txid, vout, amount: units };
    }
    throw new Error('the node has no such coin left');
  }

  /** A signed transaction of these coins, the rest of them to ourselves; replaceable (BIP125). */
  async sign(coins: Coin[], outputs: ScriptOutput[], fee = FEE): Promise<string> {
    const change =
      coins.reduce((sum, { amount }) => sum + amount, 0n) -
      outputs.reduce((sum, { amount }) => sum + amount, 0n) -
      fee;
    const all = [...outputs, { key: await this.newScript(), amount: change }];
    const raw = RawTx.encode({
      version: 2,
      segwitFlag: false,
      inputs: coins.map(({ txid, vout }) => ({
        txid: Buffer.from(txid, 'hex'),
        index: vout,
        finalScriptSig: new Uint8Array(0),
        sequence: 0xfffffffd,
      })),
      outputs: all.map(({ key, amount }) => ({ amount, script: key })),
      witnesses: [],
      lockTime: 0,
    });
    const { hex } = await this.rpc<{ hex: string }>('signrawtransactionwithwallet', [
      Buffer.from(raw).toString('hex'),
    ]);
    return hex;
  }

  /** Hands a signed transaction in, whatever it pays. */
  broadcast(hex: string): Promise<string> {
    return this.rpc<string>('sendrawtransaction', [hex, 0]);
  }

  /** One transaction in the mempool that pays all outputs; answers its hash. */
  async pay(outputs: ScriptOutput[], fee = FEE): Promise<string> {
    const sum = outputs.reduce((total, { amount }) => total + amount, 0n);
    return this.broadcast(await this.sign([await this.coin(sum + fee + 100_000n)], outputs, fee));
  }
}
