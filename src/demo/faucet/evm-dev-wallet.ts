import { callRpc, callRpcText } from '../json-rpc.js';
import { type DevWallet, FaucetError } from './dev-wallet.js';
import { poll } from './poll.js';

const MINED_TIMEOUT_MS = 60_000;
const GAS = 200_000n;
/** First 4 bytes of keccak-256 of `transfer(address,uint256)` (ERC-20). */
const TRANSFER = '0xa9059cbb';

interface Block {
  number: string;
  baseFeePerGas: string;
  transactions: string[];
}

/** The first unlocked account of an anvil. */
export class EvmDevWallet implements DevWallet {
  constructor(private readonly rpcUrl: string) {}

  async pay(address: string, asset: string, amount: bigint): Promise<string> {
    return this.send(await this.transaction(address, asset, amount));
  }

  /** Transactions of this chain are invisible before a block contains them, so there is nothing to wait for. */
  async payAndReplace(
    address: string,
    asset: string,
    amount: bigint,
  ): Promise<{ replaced: string; txHash: string }> {
    const transaction = await this.transaction(address, asset, amount);
    const replaced = await this.send({ ...transaction, ...(await this.fees(1n)) });
    try {
      return { replaced, txHash: await this.send({ ...transaction, ...(await this.fees(2n)) }) };
    } catch (error) {
      throw new FaucetError(`${replaced} was mined before it could be replaced`, { cause: error });
    }
  }

  async waitUntilMined(txHash: string): Promise<void> {
    await poll(`${txHash} is mined`, MINED_TIMEOUT_MS, () =>
      callRpc(this.rpcUrl, 'eth_getTransactionReceipt', [txHash]),
    );
  }

  async mine(): Promise<void> {
    await callRpc(this.rpcUrl, 'evm_mine');
  }

  /** anvil drops the transactions of removed blocks; a real network keeps them, so they are broadcast again. */
  async reorg(depth: number): Promise<void> {
    const tip = Number((await this.block('latest')).number);
    if (tip <= depth) throw new FaucetError(`the chain has ${tip} blocks only`);
    const gone: string[] = [];
    for (let height = tip - depth + 1; height <= tip; height++) {
      const { transactions } = await this.block(`0x${height.toString(16)}`);
      for (const hash of transactions) {
        gone.push(await callRpcText(this.rpcUrl, 'eth_getRawTransactionByHash', [hash]));
      }
    }
    await callRpc(this.rpcUrl, 'anvil_reorg', [depth, []]);
    // The new branch must be longer, or the gateway does not follow it.
    await callRpc(this.rpcUrl, 'evm_mine');
    for (const raw of gone) await callRpc(this.rpcUrl, 'eth_sendRawTransaction', [raw]);
  }

  private async transaction(
    address: string,
    asset: string,
    amount: bigint,
  ): Promise<Record<string, string | undefined>> {
    const [from] = (await callRpc(this.rpcUrl, 'eth_accounts')) as string[];
    const nonce = await callRpcText(this.rpcUrl, 'eth_getTransactionCount', [from, 'pending']);
    const common = { from, nonce, gas: hex(GAS) };
    if (asset === 'native') return { ...common, to: address, value: hex(amount) };
    const data = TRANSFER + [BigInt(address), amount].map(word).join('');
    return { ...common, to: asset, data };
  }

  private send(transaction: object): Promise<string> {
    return callRpcText(this.rpcUrl, 'eth_sendTransaction', [transaction]);
  }

  /** A replacement must pay at least a tenth more. */
  private async fees(times: bigint): Promise<Record<string, string>> {
    const { baseFeePerGas } = await this.block('latest');
    const fee = (BigInt(baseFeePerGas) * 2n + 1_000_000_000n) * times;
    return { maxFeePerGas: hex(fee), maxPriorityFeePerGas: hex(1_000_000_000n * times) };
  }

  private async block(number: string): Promise<Block> {
    return (await callRpc(this.rpcUrl, 'eth_getBlockByNumber', [number, false])) as Block;
  }
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
