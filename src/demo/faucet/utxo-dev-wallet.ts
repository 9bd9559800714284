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
/** More than any fee here, in the smallest unit: a miner takes a transaction last, or not at all. */
const HELD_BACK = -100_000_000;

/**
 * The wallet of the development profile's litecoind, whose chain is that of bitcoin and of litecoin. A payment's
 * address is read into its output script and written as litecoind writes it: the script is what counts.
 */
export class UtxoDevWallet implements DevWallet {
  constructor(
    private readonly rpcUrl: string,
    private readonly family: UtxoFamily,
  ) {}

  async pay(address: string, _asset: string, amount: bigint): Promise<string> {
    const value = formatDecimal(amount, DECIMALS);
    // Comment, comment on the recipient, who pays the fee; then: may be replaced (BIP125).
    const params = [await this.nodeAddress(address), value, '', '', false, true];
    await this.lockYoungCoins();
    try {
      return await callRpcText(this.rpcUrl, 'sendtoaddress', params);
    } finally {
      await callRpc(this.rpcUrl, 'lockunspent', [true]);
    }
  }

  /** A mined coin that a reorg makes too young again takes its transaction out of the mempool for good. */
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

  /** Beyond 10 blocks the node itself forgets what they held; on a real network it would wait again. */
  async reorg(depth: number): Promise<void> {
    const tip = Number(await callRpc(this.rpcUrl, 'getblockcount'));
    if (tip <= depth) throw new FaucetError(`the chain has ${tip} blocks only`);
    const gone: string[] = [];
    for (let height = tip - depth + 1; height <= tip; height++)
      gone.push(...(await this.transactionsAt(height)));
    await callRpc(this.rpcUrl, 'invalidateblock', [await this.hashAt(tip - depth + 1)]);
    // Empty ones, so that what was taken back waits; one more, since the longer branch is the true one.
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

  /** Without the first, by which the miner pays itself. All are of this wallet: nobody else is here. */
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
