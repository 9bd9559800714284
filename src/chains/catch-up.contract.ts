import { Contract } from '../platform/web/contract/contract.js';
import { Count } from '../platform/web/contract/fields.js';

/** What a node has yet to read (specification/chains.md#nodes-that-are-behind). */
@Contract('CatchUp', 'What the node of a blockchain has yet to read.')
export class CatchUpContract {
  @Count({ about: 'Blocks, by the node or by the age of its newest block.', example: 21_600 })
  blocksLeft: number;

  @Count({
    nullable: true,
    about: 'Estimated seconds at the pace so far; null while none is known.',
    example: 10_800,
  })
  secondsLeft: number | null;
}
