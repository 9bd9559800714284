import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { paymentNotFound, PaymentsService } from '../payments/payments.service.js';
import { data, Operation, PathParameters } from '../platform/web/contract/operation.js';
import { NoParameters } from '../platform/web/contract/read-contract.js';
import { UUID } from '../platform/kernel/ids.pure.js';
import { CurrentPrincipal, RequireScope } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { InstructionsService } from './instructions.service.js';
import { PaymentAddresses } from './payment-addresses.service.js';
import {
  DepositAddressContract,
  INSTRUCTIONS_PATH,
  MerchantPaymentInstructionsContract,
} from './payment-instructions.contract.js';

/** What customers are asked to pay, for the merchant's server (specification/checkout.md#instructions). */
@Controller('api/payment')
@PathParameters(INSTRUCTIONS_PATH)
export class PaymentInstructionsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly instructions: InstructionsService,
    private readonly addresses: PaymentAddresses,
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
    returns: data(MerchantPaymentInstructionsContract, 'The instructions.'),
    errors: ['payment_not_found', 'payment_method_not_found', 'payment_not_payable'],
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Param('provider') provider: string,
    @Param('method') method: string,
  ): Promise<MerchantPaymentInstructionsContract> {
    if (!UUID.test(paymentId)) throw paymentNotFound();
    const state = await this.payments.getOwned(principal, paymentId);
    return this.instructions.getForMerchant(state, { provider, method });
  }

  @Get(':paymentId/deposit-addresses')
  @RequireScope('payments.get')
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'listDepositAddresses',
    tag: 'Payments',
    summary: 'List the deposit addresses of a payment',
    description:
      'Every address that customers can have been shown, at most one for each kind of blockchain. Before you ship, verify ' +
      'with a key of your own that they are yours.',
    returns: data([DepositAddressContract], 'The addresses; none before a payment method is chosen.'),
    errors: ['payment_not_found', 'payment_not_payable'],
  })
  async listAddresses(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Query() _query: NoParameters,
  ): Promise<DepositAddressContract[]> {
    if (!UUID.test(paymentId)) throw paymentNotFound();
    await this.payments.getOwned(principal, paymentId);
    return this.addresses.list(paymentId);
  }
}
