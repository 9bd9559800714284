import { Contract } from '../platform/web/contract/contract.js';
import { Text } from '../platform/web/contract/fields.js';

@Contract('ResumedChain', 'A chain whose halt was ended.')
export class ResumedChainContract {
  @Text({ about: 'The chain.', example: 'ethereum' })
  blockchain: string;

  @Text({ nullable: true, about: 'Why it was halted; null: it was not.', example: 'deep fork at 19000000' })
  haltReason: string | null;
}
