import { IsIn } from 'class-validator';
import { AmountContract, EXAMPLE_USDC_100 } from '../money/amount.contract.js';
import { EXAMPLE_PAYMENT_ID, EXAMPLE_TRANSFER_ID } from '../payments/payment.contract.js';
import { Contract } from '../platform/web/contract/contract.js';
import { FieldOf, Flag, Instant, Nested, Text, Uuid } from '../platform/web/contract/fields.js';
import { CursorQuery } from '../platform/web/http/cursor-query.js';
import { BLOCKCHAIN_SLUG } from '../platform/web/contract/json-schema.js';
import { says } from '../platform/web/contract/messages.js';
import { CHAIN_CATALOG } from '../chains/chain-catalog.pure.js';
import { chainMessage } from '../chains/chain-selection.pure.js';

const SLUGS = CHAIN_CATALOG.map(({ slug }) => slug);

/** Query of GET /api/admin/unattributed-funds (specification/operations.md#unattributed-funds). */
export class UnattributedFundsQuery extends CursorQuery {
  @FieldOf(
    {
      schema: () => ({ type: 'string', ...BLOCKCHAIN_SLUG }),
      rules: [
        IsIn(
          SLUGS,
          says((field, sent) => chainMessage(field, sent, CHAIN_CATALOG)),
        ),
      ],
    },
    { optional: true, about: 'On this blockchain, by its slug.', example: 'ethereum' },
  )
  blockchain?: string;
}

@Contract('UnattributedFunds', 'Funds at the address of a payment that was never quoted in their coin.')
export class UnattributedFundsContract {
  @Uuid({ about: 'The transfer.', example: EXAMPLE_TRANSFER_ID })
  id: string;

  @Uuid({ about: 'The payment that the address belongs to.', example: EXAMPLE_PAYMENT_ID })
  paymentId: string;

  @Uuid({ about: 'Its application.', example: '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69' })
  paymentApplicationId: string;

  @Text({ about: 'The name of the application.', example: 'Coffee shop' })
  applicationName: string;

  @Text({
    about: 'Its owner, who accepts or refunds the funds.',
    example: '019a1c2e-5b7d-7c3a-9e41-2f6d8b0a4c11',
  })
  userId: string;

  @Text({ about: 'The blockchain.', example: 'ethereum' })
  blockchain: string;

  @Text({ about: 'The transaction.', example: `0x${'ab'.repeat(32)}` })
  txHash: string;

  @Nested(() => AmountContract, { about: 'How much.', example: EXAMPLE_USDC_100 })
  amount: AmountContract;

  @Flag({ about: 'Whether it has enough blocks.', example: true })
  confirmed: boolean;

  @Instant({ about: 'When it was first seen.', example: '2026-01-15T10:04:12Z' })
  seenAt: string;
}
