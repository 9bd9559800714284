import type { AccountBalance, AccountReader, GasFees, ReadCall } from '../account-reader.pure.js';
import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import type { Chain } from '../chain.pure.js';
import type { JsonRpc, RpcCall } from '../json-rpc.js';
import { RpcError } from '../rpc-error.pure.js';
import { EvmBalances, wordOf } from './evm-balances.js';
import { toCount, toHeader, toObject, toQuantity } from './evm-wire.pure.js';

/** Function selector of transfer(address,uint256) (EIP-20). */
const TRANSFER = '0xa9059cbb';
/** GasPriceOracle of the OP stack, and its getL1FeeUpperBound(uint256) (specs.optimism.io, Fjord: predeploys). */
const ORACLE = '0x420000000000000000000000000000000000000f';
const DATA_FEE = '0xf1c7a58b';
/** "execution reverted" of geth, which others have taken over. */
const REVERTED = 3;

type Rpc = Pick<JsonRpc, 'batch' | 'settle'>;

/** Each question is for the first node that answers it. */
export class EvmAccounts implements AccountReader {
  readonly most = 300;

  constructor(
    private readonly chain: Pick<Chain, 'slug' | 'chainId'>,
    private readonly nodes: readonly Rpc[],
  ) {}

  /** At one block. Each asset alone: a token that fails hides no other. */
  async balances(assets: readonly string[], keys: readonly Buffer[]): Promise<(bigint | null)[][]> {
    const unread = keys.map(() => assets.map(() => null));
    if (keys.length === 0) return unread;
    return this.ask(async (node) => {
      const { height, hash } = toHeader((await node.batch([['eth_getBlockByNumber', ['latest', false]]]))[0]);
      const columns: (bigint[][] | null)[] = [];
      for (const asset of assets) {
        const reader = new EvmBalances(node, [asset]);
        columns.push(await orNull(() => reader.read({ height, hash }, keys)));
      }
      if (columns.every((column) => column === null))
        throw new ChainInconsistencyError('no balance was read');
      return keys.map((_key, i) => columns.map((column) => column?.[i]?.[0] ?? null));
    }, unread);
  }

  async uses(assets: readonly string[], keys: readonly Buffer[]): Promise<boolean[] | null> {
    const counts = await this.counts(keys);
    const balances = counts && (await this.balances(assets, keys));
    // Without the coin nothing is known of an account; a token alone that cannot be read hides little.
    if (!balances || balances.some(([native]) => native === null)) return null;
    return balances.map((own, i) => (counts[i] ?? 0) > 0 || own.some((amount) => (amount ?? 0n) > 0n));
  }

  async counts(keys: readonly Buffer[]): Promise<number[] | null> {
    return this.ask(async (node) => {
      const calls = keys.map((key): RpcCall => [
        'eth_getTransactionCount',
        [`0x${key.toString('hex')}`, 'latest'],
      ]);
      return (await node.batch(calls)).map((count) => toCount(count, 'transaction count'));
    }, null);
  }

  async refusals(balances: readonly AccountBalance[], to: readonly string[]): Promise<boolean[]> {
    const calls = balances.map(({ key, asset, amount }, i): RpcCall => {
      const target = Buffer.from((to[i] ?? '').slice(2), 'hex');
      const data = `${TRANSFER}${wordOf(target)}${amount.toString(16).padStart(64, '0')}`;
      return ['eth_call', [{ from: `0x${key.toString('hex')}`, to: asset, data }, 'latest']];
    });
    const none = balances.map(() => false);
    if (calls.length === 0) return none;
    return this.ask(async (node) => (await node.settle(calls)).map(isRefusal), none);
  }

  async gasPrice(): Promise<bigint | null> {
    return this.ask(
      async (node) => toQuantity((await node.batch([['eth_gasPrice', []]]))[0], 'gas price'),
      null,
    );
  }

  async fees(): Promise<GasFees | null> {
    return this.ask(async (node) => {
      const [price, tip, block] = await node.settle([
        ['eth_gasPrice', []],
        ['eth_maxPriorityFeePerGas', []],
        ['eth_getBlockByNumber', ['latest', false]],
      ]);
      for (const answer of [price, block]) if (answer instanceof RpcError) throw answer;
      const gasPrice = toQuantity(price, 'gas price');
      const { baseFeePerGas } = toObject(block, 'block');
      if (baseFeePerGas === undefined || tip instanceof RpcError) return { gasPrice, market: null };
      const baseFee = toQuantity(baseFeePerGas, 'base fee');
      return { gasPrice, market: { baseFee, priorityFee: toQuantity(tip, 'priority fee') } };
    }, null);
  }

  async dataFee(bytes: number): Promise<bigint | null> {
    return this.ask(async (node) => {
      const data = `${DATA_FEE}${bytes.toString(16).padStart(64, '0')}`;
      const [fee] = await node.settle([['eth_call', [{ to: ORACLE, data }, 'latest']]]);
      // Where the chain has no such contract, the answer is nothing.
      if (fee instanceof RpcError && isRefusal(fee)) return 0n;
      if (fee instanceof RpcError) throw fee;
      return fee === '0x' ? 0n : toQuantity(fee, 'data fee');
    }, null);
  }

  async gas(calls: readonly ReadCall[]): Promise<(bigint | null)[]> {
    const none = calls.map(() => null);
    if (calls.length === 0) return none;
    return this.ask(async (node) => {
      const found = await node.settle(calls.map((call): RpcCall => ['eth_estimateGas', [call]]));
      return found.map((gas) => (gas instanceof RpcError ? null : toQuantity(gas, 'gas')));
    }, none);
  }

  private async ask<T>(question: (node: Rpc) => Promise<T>, otherwise: T): Promise<T> {
    for (const node of this.nodes) {
      const answer = await orNull(async () => {
        const [id] = await node.batch([['eth_chainId', []]]);
        if (toCount(id, 'chain id') !== this.chain.chainId)
          throw new ChainInconsistencyError(`${this.chain.slug}: a node is of another chain`);
        return { of: await question(node) };
      });
      if (answer) return answer.of;
    }
    return otherwise;
  }
}

/** Tokens say no by failing, or by the answer false; some answer nothing, which is a yes. */
function isRefusal(answer: unknown): boolean {
  if (answer instanceof RpcError) return answer.code === REVERTED || /revert/i.test(answer.message);
  return typeof answer === 'string' && /^0x0{64}$/.test(answer.slice(0, 66));
}

/** Null where a node refuses, does not answer, or answers something else. */
async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RpcError || error instanceof ChainInconsistencyError) return null;
    throw error;
  }
}
