import { Controller, Get, Header, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApplicationsService } from '../applications/applications.service.js';
import { Public } from '../platform/security/auth.js';
import { stringifyExact } from '../platform/http/exact-json.pure.js';
import { sha256 } from '../platform/security/hmac.pure.js';
import { PaymentsService } from '../payments/payments.service.js';
import { CheckoutLinkGuard } from './checkout-link.guard.js';
import { CheckoutStatusService } from './checkout-status.service.js';
import { InstructionsService } from './instructions.service.js';
import { PaymentMethodsService } from './payment-methods.service.js';

/**
 * Every way to leave out the optional segments of the instructions path
 * (specification/checkout.md#instructions-path).
 */
const INSTRUCTION_PATHS = [
  'payment/:paymentId/provider',
  'payment/:paymentId/provider/method',
  'payment/:paymentId/provider//method',
  'payment/:paymentId/provider/method/:method',
  'payment/:paymentId/provider//method/:method',
  'payment/:paymentId/provider/:provider',
  'payment/:paymentId/provider/:provider/method',
  'payment/:paymentId/provider/:provider/method/:method',
];

/** `/api/checkout…`: for the customer, who has no token but a signed link (specification/checkout.md#signed-links). */
@Controller('api/checkout')
@UseGuards(CheckoutLinkGuard)
export class CheckoutController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly applications: ApplicationsService,
    private readonly status: CheckoutStatusService,
    private readonly methods: PaymentMethodsService,
    private readonly instructions: InstructionsService,
  ) {}

  /** Polled every 5 s: an unchanged status is a 304 (specification/checkout.md#status). */
  @Get('payment/:paymentId')
  @Public()
  async getStatus(
    @Param('paymentId') paymentId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const status = await this.status.describe(await this.payments.get(paymentId));
    const { serverTime: _changesAlways, ...state } = status;
    const etag = `"${sha256(stringifyExact(state)).toString('base64url').slice(0, 22)}"`;
    response.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });
    if (request.get('if-none-match') !== etag) return status;
    response.status(304);
    return undefined;
  }

  @Get(':paymentId/payment-methods')
  @Public()
  @Header('Cache-Control', 'no-store')
  async listMethods(@Param('paymentId') paymentId: string) {
    const state = await this.payments.get(paymentId);
    return this.methods.describeFor(state, await this.applications.getById(state.payment.applicationId));
  }

  @Get(INSTRUCTION_PATHS)
  @Public()
  @Header('Cache-Control', 'no-store')
  async getInstructions(
    @Param('paymentId') paymentId: string,
    @Param('provider') provider?: string,
    @Param('method') method?: string,
  ) {
    const state = await this.payments.get(paymentId);
    return this.instructions.get(state, { provider: provider ?? null, method: method ?? null });
  }
}
