import { EXAMPLE_PAYMENT_ID } from '../../payments/payment.contract.js';
import { Contract } from '../../platform/web/contract/contract.js';
import { Choice, Text } from '../../platform/web/contract/fields.js';

export const CHANGE_TYPES = [
  'payment',
  'refund',
  'delivery',
  'application',
  'blockchain',
  'everything',
] as const;

/** An event of the stream: what to fetch again, and nothing of what it says. */
@Contract('Change', 'That something changed.')
export class ChangeContract {
  @Choice(CHANGE_TYPES, {
    about:
      '`payment`: its status, amounts, transfers, confirmations or reported transactions. `refund` and `delivery`: their ' +
      'state. `application`: its settings, wallets or endpoint. `blockchain`: its `state`. `everything`: more than can ' +
      'be sent one by one, or a cursor that is too old.',
    example: 'payment',
  })
  type: (typeof CHANGE_TYPES)[number];

  @Text({
    nullable: true,
    about:
      'The id, or the slug of a blockchain; null for `everything`, for settings of all applications, and for several ' +
      'deliveries at once.',
    example: EXAMPLE_PAYMENT_ID,
  })
  id: string | null;

  @Text({
    nullable: true,
    about: 'The id of the application; null where there is not one.',
    example: '018f2b6e-1c2d-7a3b-9c4d-5e6f7a8b9c0d',
  })
  applicationId: string | null;

  @Text({ nullable: true, about: 'The payment of a refund or of one delivery.', example: null })
  paymentId: string | null;

  @Text({
    nullable: true,
    about:
      'Its time in microseconds: of two events about the same object the larger number is the later change. Null where nothing was stored: blocks ' +
      'confirm a transfer, or a network is not seen.',
    example: '1768471800123456',
  })
  version: string | null;
}
