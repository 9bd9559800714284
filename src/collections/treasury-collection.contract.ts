import { TokenContract } from '../chains/token.contract.js';
import { AmountContract, EXAMPLE_USDC_100 } from '../money/amount.contract.js';
import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import { Choice, Constant, Count, Nested, NestedList, Text } from '../platform/web/contract/fields.js';
import { KEY_OWNERS, type KeyOwner } from '../wallets/key-owner.pure.js';

const EXAMPLE_TREASURY = '0x52908400098527886E0F7030069857D2E4169EE7';

@Contract('CollectedAmount', 'What arrives of one coin.')
export class CollectedAmountContract {
  @Nested(() => AmountContract, { about: 'How much.', example: EXAMPLE_USDC_100 })
  amount: AmountContract;

  @Nested(() => TokenContract, {
    nullable: true,
    about: 'The contract of the token; null for the native coin.',
    example: exampleOf(TokenContract, 'response'),
  })
  token: TokenContract | null;
}

@Contract('UnsignedCall', 'A transaction that any wallet can send. It takes no coin along.')
export class UnsignedCallContract {
  @Text({ about: 'The contract.', example: '0xC589b71eA2D9dcC0d27B6A2d5402Cd9F065dFe2E' })
  to: string;

  @Text({ pattern: '^0x([0-9a-f]{2})*$', about: 'The call.', example: '0x62c205d9' })
  data: string;

  @Constant('0x0', { about: 'No coin.' })
  value: '0x0';
}

@Contract('TreasuryCollection', 'A transaction that pays what lies on deposit addresses to their treasury.')
export class TreasuryCollectionContract extends UnsignedCallContract {
  @Text({
    about: 'The address that everything goes to, whoever sends the transaction.',
    example: EXAMPLE_TREASURY,
  })
  treasury: string;

  @Choice(KEY_OWNERS, {
    about: 'Whose wallet the treasury is of. What was paid to the treasury of the operator goes there.',
    example: 'application',
  })
  keyOwner: KeyOwner;

  @Count({
    nullable: true,
    about:
      'The limit of gas to send it with: a fifth more than the node estimates. Null: it would fail now, or no node says.',
    example: 5_300_000,
  })
  gasLimit: number | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about:
      'What the sender pays for the estimated gas at the price of now; rollups add the price of the data. Null: not known.',
    example: null,
  })
  fee: AmountContract | null;

  @Count({ min: 1, max: 100, about: 'From how many addresses.', example: 60 })
  deposits: number;

  @NestedList(() => CollectedAmountContract, { about: 'What arrives, by coin.' })
  expected: CollectedAmountContract[];
}

@Contract(
  'SafeBatch',
  'A file for the Transaction Builder of a Safe: one signature for up to three transactions.',
)
export class SafeBatchContract {
  @Text({ about: 'The Safe, which is the treasury.', example: EXAMPLE_TREASURY })
  treasury: string;

  @Count({ min: 1, max: 300, about: 'From how many addresses.', example: 60 })
  deposits: number;

  @Text({ about: 'The file, JSON.', example: '{"version":"1.0"}' })
  file: string;
}
