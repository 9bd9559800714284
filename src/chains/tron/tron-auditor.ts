import {
  type BlockRef,
  ChainInconsistencyError,
  type Credit,
  type ObservedBlock,
} from '../chain-adapter.pure.js';
import {
  type ChainAuditor,
  groupedBy,
  type Holding,
  lazily,
  mismatch,
  type TransferClaim,
} from '../chain-auditor.pure.js';
import type { TronAdapter } from './tron-adapter.js';
import { ADDRESS_PREFIX } from './tron-address.pure.js';
import { refusalKindOf } from '../rpc-error.pure.js';
import type { TronApi } from './tron-api.js';
import { creditsOf, ordinalOf } from './tron-credits.pure.js';
import { toAccount, toInfos, toMined, toPlace } from './tron-wire.pure.js';

/** Attempts to read an account between two solidified blocks. */
const MAX_LOOKS = 5;
/** Limit of blocks between the solidified block and the cursor, usually about 20. */
const MAX_BLOCKS = 200;

/**
 * Checks transfers by their transactions, where the adapter reads blocks, and addresses by their TRX balance. The latter
 * finds payments by contracts that a node without `vm.saveInternalTx` does not show.
 */
export class TronAuditor implements ChainAuditor {
  constructor(
    private readonly api: TronApi,
    private readonly adapter: TronAdapter,
  ) {}

  async examine(claims: readonly TransferClaim[]): Promise<(string | null)[]> {
    const reasons = new Map<TransferClaim, string | null>();
    for (const [height, inBlock] of groupedBy(claims, (claim) => claim.height)) {
      const canonical = (await this.adapter.header(height))?.hash ?? null;
      for (const [txHash, own] of groupedBy(inBlock, (claim) => claim.txHash)) {
        const read = lazily(() => this.creditsOf(txHash, height, canonical ?? ''));
        for (const claim of own) {
          if (canonical !== claim.blockHash) {
            reasons.set(claim, `block ${height} of the chain is ${canonical ?? 'not there'}`);
            continue;
          }
          const credits = await read();
          reasons.set(
            claim,
            typeof credits === 'string' ? credits : mismatch(claim, credits.get(claim.ordinal) ?? null),
          );
        }
      }
    }
    return claims.map((claim) => reasons.get(claim) ?? null);
  }

  /**
   * TRX only, and none when the node has no `walletsolidity`, because other balances include what is not final. Nodes
   * return only the solidified balance; the difference between that block and `at` is read from blocks.
   */
  async holdings(at: BlockRef, keys: readonly Buffer[]): Promise<Holding[]> {
    const read = new Map<number, ObservedBlock>();
    const holdings: Holding[] = [];
    try {
      for (const key of keys) holdings.push(await this.holding(at, key, read));
    } catch (error) {
      if (refusalKindOf(error) === 'unsupported') return [];
      throw error;
    }
    return holdings;
  }

  /** Nodes do not report what an address received. */
  async flows(): Promise<null> {
    return null;
  }

  /** The credits of a transaction by their ordinals, read once for all of them; or why it has none. */
  private async creditsOf(
    txHash: string,
    height: number,
    blockHash: string,
  ): Promise<ReadonlyMap<string, Credit> | string> {
    const answer = await this.api.call('wallet/gettransactioninfobyid', { value: txHash });
    const place = toPlace(answer);
    if (!place) return 'the chain does not know the transaction';
    if (place.height !== height) return `the transaction is in block ${place.height}`;
    const [info] = toInfos([answer], blockHash);
    const transaction = toMined(await this.api.call('wallet/gettransactionbyid', { value: txHash }));
    if (!info || info.txHash !== txHash || transaction.txHash !== txHash)
      throw new ChainInconsistencyError(`${this.adapter.chain}: the node sent another transaction`);
    if (!transaction.succeeded || !info.succeeded) return 'the transaction failed';
    const credits = new Map<string, Credit>();
    for (const credit of creditsOf(transaction, info, this.adapter.tokens))
      if (!credits.has(ordinalOf(credit))) credits.set(ordinalOf(credit), credit);
    return credits;
  }

  private async holding(at: BlockRef, key: Buffer, read: Map<number, ObservedBlock>): Promise<Holding> {
    const address = `${ADDRESS_PREFIX.toString(16)}${key.toString('hex')}`;
    for (let look = 0; look < MAX_LOOKS; look++) {
      const before = await this.adapter.finalized();
      const { balance, isUnspent } = toAccount(await this.api.call('walletsolidity/getaccount', { address }));
      const solid = await this.adapter.finalized();
      if (before.hash !== solid.hash) continue;
      const [low, high] = solid.height < at.height ? [solid, at] : [at, solid];
      const came = await this.cameBetween(low, high, key, read);
      return { key, asset: 'native', amount: balance + (low === solid ? came : -came), isUnspent };
    }
    throw new ChainInconsistencyError(`${this.adapter.chain}: the chain is faster than the node answers`);
  }

  /** TRX received after one block, up to another. */
  private async cameBetween(
    low: BlockRef,
    high: BlockRef,
    key: Buffer,
    read: Map<number, ObservedBlock>,
  ): Promise<bigint> {
    if (high.height - low.height > MAX_BLOCKS)
      throw new Error(`${this.adapter.chain}: the cursor is too far from the solidified block`);
    let came = 0n;
    let parent = low.hash;
    for (let height = low.height + 1; height <= high.height; height++) {
      const block = read.get(height) ?? (await this.adapter.block(height));
      if (!block || block.parentHash !== parent)
        throw new ChainInconsistencyError(`${this.adapter.chain}: the node has left block ${height}`);
      read.set(height, block);
      parent = block.hash;
      for (const credit of block.candidates)
        if (credit.asset === 'native' && credit.key.equals(key)) came += credit.amount;
    }
    if (parent !== high.hash)
      throw new ChainInconsistencyError(`${this.adapter.chain}: the node has left block ${high.height}`);
    return came;
  }
}
