import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import type { Chain } from '../chain.pure.js';
import type { JsonRpc } from '../json-rpc.js';
import { readAnother, type ShownBlock } from './evm-blocks.js';
import { isHashOfHeader } from './header-hash.pure.js';
import { isListOfHeader } from './transaction-list.pure.js';

/**
 * Refuses a block whose hash is not that of its header, or whose transactions, where they are shown, are not those of its
 * header. An upgrade may bring fields or transactions that are not known here, and must not stop the chain: while another
 * block does not fit either, nothing is refused.
 */
export class HeaderForms {
  /** Since another block did not fit either, until one fits. */
  private isUnknown = false;

  constructor(
    private readonly rpc: JsonRpc,
    private readonly chain: Pick<Chain, 'slug' | 'provable'>,
  ) {}

  /** What does not hold for this chain, in words for the operator. */
  get lack(): string | null {
    return this.isUnknown
      ? 'headers that this version can recompute: what it leaves out of a block may not be noticed'
      : null;
  }

  /** @returns whether the header is proven by its hash @throws ChainInconsistencyError */
  async refuseForged({ json, header, moves }: ShownBlock): Promise<boolean> {
    if (!this.chain.provable) return false;
    const fits = (block: Record<string, unknown>) => isCovered(block, moves !== null);
    if (fits(json)) {
      this.isUnknown = false;
      return true;
    }
    this.isUnknown ||= !fits((await readAnother(this.rpc, header, true)).json);
    if (this.isUnknown) return false;
    throw new ChainInconsistencyError(
      `${this.chain.slug}: the node showed block ${header.height} with a header or transactions that do not have its hash`,
    );
  }
}

/** Not where a field is missing or has another form, either. */
function isCovered(block: Record<string, unknown>, isFull: boolean): boolean {
  try {
    return isHashOfHeader(block) && (!isFull || isListOfHeader(block));
  } catch (error) {
    if (error instanceof ChainInconsistencyError) return false;
    throw error;
  }
}
