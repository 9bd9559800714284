import { TokenContract } from '../chains/token.contract.js';
import { DerivationContract } from '../checkout/payment-instructions.contract.js';
import { AmountContract } from '../money/amount.contract.js';
import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import { Instant, Nested, Text, Uuid } from '../platform/web/contract/fields.js';
import { EXAMPLE_BITCOIN } from './collection.contract.js';

@Contract('HoldingAddress', 'What one deposit address has received in one asset on one blockchain.')
export class HoldingAddressContract {
  @Text({ about: 'The slug of the blockchain.', example: 'bitcoin' })
  blockchain: string;

  @Text({ about: 'The currency.', example: 'BTC' })
  currencyCode: string;

  @Nested(() => TokenContract, {
    nullable: true,
    about: 'As in the list of received funds.',
    example: null,
  })
  token: TokenContract | null;

  @Text({ about: 'The deposit address.', example: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' })
  address: string;

  @Nested(() => DerivationContract, {
    nullable: true,
    about: 'Where its key is. Null: the key can no longer be read, or the address is not of it.',
    example: exampleOf(DerivationContract, 'response'),
  })
  derivation: DerivationContract | null;

  @Nested(() => AmountContract, {
    about:
      'The confirmed total, in the units of the asset on this blockchain, including what was spent since.',
    example: EXAMPLE_BITCOIN,
  })
  receivedAmount: AmountContract;

  @Uuid({ about: 'The payment whose address it is.', example: '0190f6a0-0000-7000-8000-000000000000' })
  paymentId: string;

  @Text({ about: 'Your reference of the payment.', example: 'ORDER-1' })
  reference: string;

  @Instant({ about: 'When its first transfer was seen.', example: '2026-01-15T10:04:12Z' })
  firstSeenAt: string;
}
