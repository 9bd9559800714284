import { Choice, Text } from '../../platform/web/contract/fields.js';
import { EXAMPLE_PAYOUT_ADDRESS } from '../refund.contract.js';

/** The form of POST /refund/{refundId}. */
export class ClaimFormContract {
  @Text({ about: 'The address to pay to.', example: EXAMPLE_PAYOUT_ADDRESS })
  address: string;

  @Choice(['yes'], { optional: true, about: 'The address was shown and is right.' })
  confirm?: string;
}
