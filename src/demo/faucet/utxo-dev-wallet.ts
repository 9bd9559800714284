import { readUtxoAddress } from '../../chains/utxo/utxo-address.pure.js';
import type { UtxoFamily } from '../../chains/utxo/utxo-network.pure.js';
import { formatDecimal } from '../../money/money.js';
import { callRpc, callRpcText } from '../json-rpc.js';
import { type DevWallet, FaucetError } from './dev-wallet.js';
import { DEEPEST_REORG } from './pay-arguments.js';
import { poll } from './poll.js';

const MINED_TIMEOUT_MS = 60_000;
/** Blocks after which a mined coin may be spent. */
const MATURITY = 100;
const DECIMALS = 8;
/** Longer than between two blocks of the development chain; after that the wallet goes on without one. */
const NEXT_BLOCK_MS = 6_000;
/** Fee adjustment in the smallest unit, larger than any fee here, so that the miner does not select the transaction. */
const HELD_BACK = -100_000_000;

/**
 * The wallet of the development profile's litecoind, whose chain serves as bitcoin and as litecoin. It converts a
 * payment's address to the address that litecoind has for the same output script.
 */
export class UtxoDevWallet implements DevWallet {
  constructor(
    private readonly rpcUrl: string,
    private readonly family: UtxoFamily,
  ) {}

  async pay(address: string, _asset: string, amount: bigint): Promise<string> {
    const value = formatDecimal(amount, DECIMALS);
    // Comment, comment on the recipient, whether the recipient pays the fee, whether it can be replaced (BIP125).
    const params = [await this.nodeAddress(address), value, '', '', false, true];
    await this.lockYoungCoins();
    try {
      return await callRpcText(this.rpcUrl, 'sendtoaddress', params);
    } finally {
      await callRpc(this.rpcUrl, 'lockunspent', [true]);
    }
  }

  /** Prevents the use of mined coins that a reorg could make immature: their transaction would be dropped for good. */
  private async lockYoungCoins(): Promise<void> {
    const range = [MATURITY, MATURITY + DEEPEST_REORG];
    const young = (await callRpc(this.rpcUrl, 'listunspent', range)) as { txid: string; vout: number }[];
    const coins = young.map(({ txid, vout }) => ({ txid, vout }));
    if (coins.length > 0) await callRpc(this.rpcUrl, 'lockunspent', [false, coins]);
  }

  async payAndReplace(
    address: string,
    asset: string,
    amount: bigint,
    whenSeen: () => Promise<void>,
  ): Promise<{ replaced: string; txHash: string }> {
    // Right after a block, because the next one must not come before the transaction is held back.
    await callRpc(this.rpcUrl, 'waitfornewblock', [NEXT_BLOCK_MS]);
    const replaced = await this.pay(address, asset, amount);
    await callRpc(this.rpcUrl, 'prioritisetransaction', [replaced, 0, HELD_BACK]);
    await whenSeen();
    const bumped = (await callRpc(this.rpcUrl, 'bumpfee', [replaced])) as { txid: string };
    return { replaced, txHash: bumped.txid };
  }

  async waitUntilMined(txHash: string): Promise<void> {
    await poll(`${txHash} is mined`, MINED_TIMEOUT_MS, async () => {
      const { confirmations } = (await callRpc(this.rpcUrl, 'gettransaction', [txHash])) as {
        confirmations: number;
      };
      return confirmations > 0 ? confirmations : null;
    });
  }

  async mine(): Promise<void> {
    const address = await callRpcText(this.rpcUrl, 'getnewaddress');
    await callRpc(this.rpcUrl, 'generatetoaddress', [1, address]);
  }

  /** The node does not return transactions of more than 10 removed blocks to the mempool, so they are broadcast again. */
  async reorg(depth: number): Promise<void> {
    const tip = Number(await callRpc(this.rpcUrl, 'getblockcount'));
    if (tip <= depth) throw new FaucetError(`the chain has ${tip} blocks only`);
    const gone: string[] = [];
    for (let height = tip - depth + 1; height <= tip; height++)
      gone.push(...(await this.transactionsAt(height)));
    await callRpc(this.rpcUrl, 'invalidateblock', [await this.hashAt(tip - depth + 1)]);
    // Empty blocks, so that the transactions stay unmined; one more block, so that the new branch is longer.
    for (let i = 0; i <= depth; i++) {
      const address = await callRpcText(this.rpcUrl, 'getnewaddress');
      await callRpc(this.rpcUrl, 'generateblock', [address, []]);
    }
    const waiting = (await callRpc(this.rpcUrl, 'getrawmempool')) as string[];
    for (const txHash of gone.filter((hash) => !waiting.includes(hash))) {
      const { hex } = (await callRpc(this.rpcUrl, 'gettransaction', [txHash])) as { hex: string };
      await callRpc(this.rpcUrl, 'sendrawtransaction', [hex]);
    }
  }

  /** Without the coinbase transaction. All of them are from this wallet, the only one on the chain. */
  private async transactionsAt(height: number): Promise<string[]> {
    const block = (await callRpc(this.rpcUrl, 'getblock', [await this.hashAt(height)])) as { tx: string[] };
    return block.tx.slice(1);
  }

  private hashAt(height: number): Promise<string> {
    return callRpcText(this.rpcUrl, 'getblockhash', [height]);
  }

  private async nodeAddress(address: string): Promise<string> {
    const read = readUtxoAddress(address, this.family, 'regtest');
    if (typeof read === 'string') throw new FaucetError(`${address} is no ${this.family} address of regtest`);
    const script = read.key.toString('hex');
    const decoded = (await callRpc(this.rpcUrl, 'decodescript', [script])) as { addresses?: string[] };
    const [known] = decoded.addresses ?? [];
    if (known === undefined) throw new FaucetError(`litecoind has no address for the script ${script}`);
    return known;
  }
}
