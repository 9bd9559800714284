import { Controller, Get, Header, Param } from '@nestjs/common';
import { paymentNotFound, PaymentsService } from '../payments/payments.service.js';
import { data, Operation, PathParameters } from '../platform/contract/operation.js';
import { UUID } from '../platform/runtime/ids.pure.js';
import { CurrentPrincipal, type Principal, RequireScope } from '../platform/security/auth.js';
import { InstructionsService } from './instructions.service.js';
import { INSTRUCTIONS_PATH, PaymentInstructionsContract } from './payment-instructions.contract.js';

/** The instructions for the merchant's server, same body as the public ones (specification/checkout.md#instructions). */
@Controller('api/payment')
@PathParameters(INSTRUCTIONS_PATH)
export class PaymentInstructionsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly instructions: InstructionsService,
  ) {}

  @Get(':paymentId/provider/:provider/method/:method')
  @RequireScope('payments.user-instructions.get')
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'getPaymentInstructions',
    tag: 'Payments',
    summary: 'Get payment instructions',
    description:
      'The address, the exact amount and the locked rate for one payment method. The first call derives the address and ' +
      'locks the rate; later ones return the same until the lock ends, then a new rate at the same address.',
    returns: data(PaymentInstructionsContract, 'The instructions.'),
    errors: ['payment_not_found', 'payment_method_not_found', 'payment_not_payable'],
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Param('provider') provider: string,
    @Param('method') method: string,
  ): Promise<PaymentInstructionsContract> {
    if (!UUID.test(paymentId)) throw paymentNotFound();
    const state = await this.payments.getOwned(principal, paymentId);
    return this.instructions.get(state, { provider, method }, 'merchant');
  }
}
