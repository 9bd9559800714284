import { setTimeout as delay } from 'node:timers/promises';
import { encodeAbiParameters, encodeDeployData, encodeFunctionData, toHex } from 'viem';
import type { TestToken } from '../../src/demo/contracts/test-token.js';
import {
  type Deployed,
  type Hex,
  startAnvil,
  type TestChain,
  type TransactionRequest,
} from '../support/anvil.js';
import {
  FakeToken,
  FeeToken,
  Fickle,
  Forwarder,
  MultiSend,
  OddLogs,
  RevertingInner,
  SelfDestructInConstructor,
} from '../support/contracts/artifacts.js';
import { newAddress } from '../support/evm-chain.js';
import { Tally } from './occurrences.js';
import { amountOf, type AssetName, type Payee, payeeOf } from './payees.js';
import { type Part, random, type Step } from './program.js';

/** Customers with ether and tokens from the beginning, so that no reorg makes them poor. */
const CUSTOMERS = 24;
/** No fork goes further below the highest block than this; the gateway keeps 256. */
const WITHIN = 230;
const ETHER: Hex = `0x${'0'.repeat(40)}`;
const GWEI = 10n ** 9n;
const FEES = { maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: GWEI };

/** Contracts of the fuzzed chain; the first three are listed with the gateway. */
export interface EvmContracts {
  USDT: Deployed<typeof TestToken.abi>;
  USDC: Deployed<typeof TestToken.abi>;
  /** Listed, but says nothing that follows EIP-20. */
  odd: Deployed<typeof OddLogs.abi>;
  fake: Deployed<typeof FakeToken.abi>;
  fee: Deployed<typeof FeeToken.abi>;
  fickle: Deployed<typeof Fickle.abi>;
  sender: Deployed<typeof MultiSend.abi>;
  forwarder: Deployed<typeof Forwarder.abi>;
  reverting: Deployed<typeof RevertingInner.abi>;
}

/** A transaction in the node's pool. */
interface Waiting {
  hash: Hex;
  from: Hex;
  nonce: Hex;
  maxFeePerGas: Hex;
}

export async function startEvmActor(): Promise<EvmActor> {
  const chain = await startAnvil({ accounts: CUSTOMERS + 1 });
  const [USDT, USDC] = [await chain.deployToken('USDT'), await chain.deployToken('USDC')];
  const contracts: EvmContracts = {
    USDT,
    USDC,
    odd: await chain.deploy(OddLogs),
    fake: await chain.deploy(FakeToken, ['Tether USD', 'USDT']),
    fee: await chain.deploy(FeeToken, [chain.account(0), 10n ** 15n]),
    fickle: await chain.deploy(Fickle),
    sender: await chain.deploy(MultiSend),
    forwarder: await chain.deploy(Forwarder, [chain.account(0)]),
    reverting: await chain.deploy(RevertingInner),
  };
  const holders = [contracts.sender.address, contracts.reverting.address, ...chain.accounts.slice(1)];
  for (const { address: token } of [USDT, USDC]) {
    for (const to of holders) await chain.sendToken({ token, to, value: 30_000n * 10n ** 6n });
    await chain.mine(4);
  }
  return new EvmActor(chain, contracts);
}

/** Does to an EVM chain what a program says. */
export class EvmActor {
  /** Signed transactions that a reorg took away. */
  private gone: Hex[] = [];
  private highest = 0;
  readonly tally = new Tally();

  constructor(
    readonly chain: TestChain,
    readonly contracts: EvmContracts,
  ) {}

  /** Blocks that nothing of the last program can be taken back through. */
  async startOver(blocks: number): Promise<void> {
    await this.chain.mine(blocks);
    this.gone = [];
    this.highest = await this.chain.blockNumber();
  }

  /** One block above every height that was ever there, so that no tip looks like a node that lags. */
  async rise(blocks: number): Promise<void> {
    await this.mine(Math.max(0, this.highest - (await this.chain.blockNumber())) + blocks);
  }

  /** @returns false when there was nothing to do it to */
  async act(step: Step, payees: readonly Payee[]): Promise<boolean> {
    const from = this.chain.account(1 + (step.pick % CUSTOMERS));
    switch (step.kind) {
      case 'evm.mine':
        await this.mine(step.depth);
        return true;
      case 'evm.reorg':
        return this.reorg(step);
      case 'evm.rollback':
        return this.rollBack(step.depth);
      case 'evm.bump':
        return this.bump(step, payees);
      case 'evm.drop':
        return this.drop(step.pick);
      case 'evm.resend':
        return this.resend(step.pick);
      case 'evm.pause':
        this.chain.freeze();
        await delay(50 + (step.pick % 300));
        this.chain.thaw();
        return true;
      default:
        await this.chain.send({ from, ...FEES, ...this.request(step, payees) });
        return true;
    }
  }

  private request(step: Step, payees: readonly Payee[]): TransactionRequest {
    const { contracts } = this;
    const [part = { payee: 0, share: 0, dust: 1 }] = step.parts;
    const asset: AssetName = step.pick % 2 === 0 ? 'USDT' : 'USDC';
    const token = contracts[asset === 'USDT' ? 'USDT' : 'USDC'];
    const to = addressOf(part, payees);
    const payee = payeeOf(part, payees);
    const [ether, units] = [amountOf(part, payee, 'ETH'), amountOf(part, payee, asset)];
    switch (step.kind) {
      case 'evm.pay':
        return { to, value: ether };
      case 'evm.token':
        return {
          to: token.address,
          data: encodeFunctionData({ abi: token.abi, functionName: 'transfer', args: [to, units] }),
        };
      case 'evm.many':
        return this.sendMany(step, payees, false);
      case 'evm.failed':
        return this.sendMany(step, payees, true);
      case 'evm.forward':
        return {
          to: contracts.forwarder.address,
          value: ether,
          data: encodeFunctionData({ abi: Forwarder.abi, functionName: 'forwardTo', args: [to] }),
        };
      case 'evm.fickle':
        return {
          to: contracts.fickle.address,
          value: ether,
          data: encodeFunctionData({
            abi: Fickle.abi,
            functionName: 'pay',
            args: [to, addressOf(step.parts[1] ?? part, payees)],
          }),
        };
      case 'evm.selfdestruct': {
        const { abi, bytecode } = SelfDestructInConstructor;
        return { value: ether, data: encodeDeployData({ abi, bytecode, args: [to] } as never) };
      }
      case 'evm.inner-revert':
        return step.pick % 3 === 0
          ? {
              to: contracts.reverting.address,
              data: encodeFunctionData({
                abi: RevertingInner.abi,
                functionName: 'pretendToPayToken',
                args: [token.address, to, units],
              }),
            }
          : {
              to: contracts.reverting.address,
              value: ether,
              data: encodeFunctionData({ abi: RevertingInner.abi, functionName: 'pretendToPay', args: [to] }),
            };
      case 'evm.fake-token':
        return {
          to: contracts.fake.address,
          data: encodeFunctionData({ abi: FakeToken.abi, functionName: 'transfer', args: [to, units] }),
        };
      case 'evm.fee-token':
        return {
          from: this.chain.account(0),
          to: contracts.fee.address,
          data: encodeFunctionData({ abi: FeeToken.abi, functionName: 'transfer', args: [to, units] }),
        };
      case 'evm.odd-logs':
        return { to: contracts.odd.address, data: oddCall(step.pick, to, units) };
      default:
        throw new Error(`${step.kind} sends nothing`);
    }
  }

  /** Ether and tokens by turns; a failing one pays everybody and then asks for more than the contract has. */
  private sendMany(step: Step, payees: readonly Payee[], isFailing: boolean): TransactionRequest {
    const sends = step.parts.map((part, i) => {
      const asset = (['ETH', 'USDT', 'ETH', 'USDC'] as const)[(step.pick + i) % 4] ?? 'ETH';
      const token = asset === 'ETH' ? ETHER : this.contracts[asset].address;
      return { token, to: addressOf(part, payees), value: amountOf(part, payeeOf(part, payees), asset) };
    });
    const value = sends.filter(({ token }) => token === ETHER).reduce((sum, one) => sum + one.value, 0n);
    if (isFailing) sends.push({ token: ETHER, to: newAddress(), value: 10n ** 24n });
    return {
      to: this.contracts.sender.address,
      value,
      data: encodeFunctionData({ abi: MultiSend.abi, functionName: 'send', args: [sends] }),
    };
  }

  private async bump(step: Step, payees: readonly Payee[]): Promise<boolean> {
    const waiting = await this.oneThatWaits(step.pick);
    const [part] = step.parts;
    if (!waiting || !part) return false;
    const fee = BigInt(waiting.maxFeePerGas) * 2n;
    await this.chain.send({
      from: waiting.from,
      nonce: Number(waiting.nonce),
      to: addressOf(part, payees),
      value: amountOf(part, payeeOf(part, payees), 'ETH'),
      maxFeePerGas: fee,
      maxPriorityFeePerGas: fee / 20n,
    });
    return true;
  }

  private async drop(pick: number): Promise<boolean> {
    const waiting = await this.oneThatWaits(pick);
    if (!waiting) return false;
    const raw = await this.chain.rpc<Hex | null>('eth_getRawTransactionByHash', [waiting.hash]);
    await this.chain.rpc('anvil_dropTransaction', [waiting.hash]);
    if (raw) this.gone.push(raw);
    return true;
  }

  private async oneThatWaits(pick: number): Promise<Waiting | null> {
    type Pool = Record<string, Record<string, Waiting>>;
    const { pending } = await this.chain.rpc<{ pending: Pool }>('txpool_content');
    const waiting = Object.values(pending).flatMap((ofSender) => Object.values(ofSender));
    return waiting[pick % Math.max(1, waiting.length)] ?? null;
  }

  private async resend(pick: number): Promise<boolean> {
    const [raw] = this.gone.splice(pick % Math.max(1, this.gone.length), 1);
    if (!raw) return false;
    await this.chain.rpc('eth_sendRawTransaction', [raw]);
    return true;
  }

  private async mine(blocks: number): Promise<void> {
    if (blocks > 0) await this.chain.mine(blocks);
    this.highest = Math.max(this.highest, await this.chain.blockNumber());
  }

  private async reorg({ depth: wanted, pick: seed }: Step): Promise<boolean> {
    const pick = random(seed);
    const height = await this.chain.blockNumber();
    const depth = Math.min(wanted, height - (this.highest - WITHIN));
    if (depth < 1) return false;
    const included: [Hex, number][] = [];
    /** Of each sender, the block of its last transaction; infinite once one was left out. */
    const last = new Map<Hex, number>();
    for (const { from, to, raw, position } of await this.minedAbove(height - depth, height)) {
      const earliest = last.get(from) ?? 0;
      if (earliest === Infinity || pick(5) < 2) {
        last.set(from, Infinity);
        this.gone.push(raw);
        this.tally.add('EVM transactions that a reorg left out', 1);
        continue;
      }
      const anywhere = Math.min(depth - 1, earliest + pick(Math.min(4, depth)));
      const isFickle = to === this.contracts.fickle.address.toLowerCase();
      // It goes by the height's remainder: one block on it does something else.
      const at = isFickle && anywhere === position ? Math.min(depth - 1, position + 1) : anywhere;
      last.set(from, at);
      included.push([raw, at]);
      this.tally.add('EVM transactions that a reorg mined again', 1);
      if (at === position) continue;
      this.tally.add('EVM transactions that a reorg mined again at another height', 1);
      if (isFickle && (at - position) % 3 !== 0)
        this.tally.add('EVM transactions that a reorg mined again with another effect', 1);
    }
    await this.chain.reorg(
      depth,
      included.sort(([, a], [, b]) => a - b),
    );
    return true;
  }

  /** Signed transactions with their senders and blocks (the lowest is 0), in the chain's order. */
  private async minedAbove(
    height: number,
    tip: number,
  ): Promise<{ from: Hex; to: Hex | null; raw: Hex; position: number }[]> {
    type Block = { transactions: { hash: Hex; from: Hex; to: Hex | null }[] };
    const mined = await Promise.all(
      Array.from({ length: tip - height }, async (_, position) => {
        const at = toHex(height + 1 + position);
        const { transactions } = await this.chain.rpc<Block>('eth_getBlockByNumber', [at, true]);
        return transactions.map(({ hash, from, to }) => ({ hash, from, to, position }));
      }),
    );
    return Promise.all(
      mined.flat().map(async ({ hash, ...rest }) => {
        return { ...rest, raw: await this.chain.rpc<Hex>('eth_getRawTransactionByHash', [hash]) };
      }),
    );
  }

  private async rollBack(wanted: number): Promise<boolean> {
    const depth = Math.min(wanted, (await this.chain.blockNumber()) - (this.highest - WITHIN));
    if (depth < 1) return false;
    await this.chain.rpc('anvil_rollback', [depth]);
    return true;
  }
}

function addressOf(part: Part, payees: readonly Payee[]): Hex {
  return payeeOf(part, payees)?.evm ?? newAddress();
}

/** Logs under the topic of Transfer that are not EIP-20's. */
function oddCall(pick: number, to: Hex, units: bigint): Hex {
  const { abi } = OddLogs;
  const from = newAddress();
  const word = (address: Hex): Hex => `0x${'f'.repeat(24)}${address.slice(2)}`;
  switch (pick % 5) {
    case 0:
      return encodeFunctionData({ abi, functionName: 'fourTopics', args: [from, to, units] });
    case 1:
      return encodeFunctionData({ abi, functionName: 'twoTopics', args: [from, to, units] });
    case 2:
      return encodeFunctionData({ abi, functionName: 'oneTopic', args: [from, to, units] });
    case 3:
      return encodeFunctionData({ abi, functionName: 'dirtyTopics', args: [word(from), word(to), units] });
    default: {
      const twoWords = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [units, units]);
      return encodeFunctionData({ abi, functionName: 'anyData', args: [from, to, twoWords] });
    }
  }
}
