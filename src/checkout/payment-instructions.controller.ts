import { Controller, Get, Header, Param } from '@nestjs/common';
import { CurrentPrincipal, type Principal, RequireScope } from '../platform/security/auth.js';
import { UUID } from '../platform/runtime/ids.pure.js';
import { paymentNotFound, PaymentsService } from '../payments/payments.service.js';
import { InstructionsService } from './instructions.service.js';

/** The instructions for the merchant's server, same body as the public ones (specification/checkout.md#instructions). */
@Controller('api/payment')
export class PaymentInstructionsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly instructions: InstructionsService,
  ) {}

  @Get(':paymentId/provider/:provider/method/:method')
  @RequireScope('payments.user-instructions.get')
  @Header('Cache-Control', 'no-store')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Param('provider') provider: string,
    @Param('method') method: string,
  ) {
    if (!UUID.test(paymentId)) throw paymentNotFound();
    const state = await this.payments.getOwned(principal, paymentId);
    return this.instructions.get(state, { provider, method }, 'merchant');
  }
}
