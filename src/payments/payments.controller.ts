import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, RequireScope } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { Idempotent, IdempotentRequest, type Once } from '../platform/web/idempotency/idempotency.js';
import { UUID } from '../platform/kernel/ids.pure.js';
import type { CursorPage } from '../platform/web/http/cursor-page.js';
import { CursorQuery, pageBackwards } from '../platform/web/http/cursor-query.js';
import { Page } from '../platform/web/http/pagination.js';
import {
  cursorPage,
  data,
  Operation,
  page,
  PathParameters,
  uuidParameter,
} from '../platform/web/contract/operation.js';
import { Draft, DraftBody } from '../platform/web/contract/read-contract.js';
import { UnmatchedTransfersService } from './transfers/unmatched-transfers.service.js';
import { PaymentCreationService } from './payment-creation.service.js';
import { PaymentListService } from './payment-list.service.js';
import { PaymentPresenter } from './payment-presenter.service.js';
import {
  CheckoutContract,
  EXAMPLE_PAYMENT_ID,
  OPEN,
  PaymentContract,
  PaymentListItemContract,
  TransactionContract,
} from './payment.contract.js';
import {
  AcceptPaymentContract,
  CancelPaymentContract,
  CreatePaymentContract,
  KeepPaymentContract,
  ListPaymentsQuery,
  PaymentsByReferenceQuery,
} from './payment-requests.contract.js';
import type { PaymentSummary } from './payment.pure.js';
import { paymentNotFound, PaymentsService } from './payments.service.js';
import { MAX_LISTED } from './transfers/transfer-listing.pure.js';

/** `/api/payment…` (specification/payments.md#resource). */
@Controller('api/payment')
@PathParameters({ paymentId: uuidParameter('The payment.', EXAMPLE_PAYMENT_ID, 'PaymentId') })
export class PaymentsController {
  constructor(
    private readonly creation: PaymentCreationService,
    private readonly payments: PaymentsService,
    private readonly acceptances: UnmatchedTransfersService,
    private readonly paymentList: PaymentListService,
    private readonly presenter: PaymentPresenter,
  ) {}

  @Post('checkout')
  @RequireScope('payments.create')
  @Operation({
    id: 'createCheckout',
    tag: 'Payments',
    summary: 'Create a payment',
    description:
      'Returns a signed link to the hosted checkout page. Client tokens create payments of their own application ' +
      'only. A payment that could never be paid is refused with `no_payment_method`: without a wallet for any network ' +
      'that it may be paid on, or with nothing of the whitelist enabled on this gateway.',
    returns: data(CheckoutContract, 'The new payment.'),
    errors: ['no_payment_method', 'too_many_unpaid_payments', 'settings_integrity'],
  })
  create(
    @Idempotent() request: IdempotentRequest,
    @CurrentPrincipal() principal: Principal,
    @DraftBody(CreatePaymentContract) draft: Draft<CreatePaymentContract>,
  ): Promise<Once<CheckoutContract>> {
    return request.onceWritingKey(draft, (key) => this.creation.create(principal, draft, key));
  }

  @Get()
  @OAuthOnly('payments')
  @Operation({
    id: 'listPayments',
    tag: 'Payments',
    summary: 'List payments',
    description: 'All of your applications, deleted ones included; newest first, unless sorted otherwise.',
    returns: page(PaymentListItemContract, 'One page of payments.'),
  })
  async list(
    @CurrentPrincipal() { userId }: Principal,
    @Query() query: ListPaymentsQuery,
  ): Promise<Page<PaymentListItemContract>> {
    return this.shown(await this.paymentList.list(userId, query));
  }

  /** Before `:paymentId`, which would take it for an id. In the query, because a reference may hold any character. */
  @Get('by-reference')
  @RequireScope('payments.get')
  @Operation({
    id: 'listPaymentsByReference',
    tag: 'Payments',
    summary: 'Find payments by your reference',
    description:
      'Newest first; a reference need not be unique. A client token finds those of its own application, an OAuth2 ' +
      'token those of all applications of its user. Nothing found is an empty page.',
    returns: page(PaymentListItemContract, 'One page of payments.'),
  })
  async listByReference(
    @CurrentPrincipal() principal: Principal,
    @Query() query: PaymentsByReferenceQuery,
  ): Promise<Page<PaymentListItemContract>> {
    return this.shown(await this.paymentList.listByReference(principal, query));
  }

  @Get(':paymentId')
  @RequireScope('payments.get')
  @Operation({
    id: 'getPayment',
    tag: 'Payments',
    summary: 'Get a payment',
    description: 'Poll no more often than every 5 seconds, until CONFIRMED, CANCELLED, ERROR or REFUND.',
    returns: data(PaymentContract, 'The payment.'),
    errors: ['payment_not_found'],
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
  ): Promise<PaymentContract> {
    return this.presenter.payment(await this.payments.getOwned(principal, checked(paymentId)));
  }

  @Get(':paymentId/transactions')
  @RequireScope('payments.get')
  @Operation({
    id: 'listPaymentTransactions',
    tag: 'Payments',
    summary: 'List the transactions of a payment',
    description: `Every movement of funds to the payment, newest first; the payment itself lists at most ${MAX_LISTED}.`,
    returns: cursorPage(TransactionContract, 'One page of transactions.'),
    errors: ['payment_not_found'],
  })
  async listTransactions(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Query() query: CursorQuery,
  ): Promise<CursorPage<TransactionContract>> {
    const state = await this.payments.getOwned(principal, checked(paymentId));
    const found = await this.payments.listTransfers(paymentId, query);
    return pageBackwards(
      found.map((transfer) => ({ ...transfer, at: transfer.seenAt })),
      query,
      (transfer) => this.presenter.transaction(state, transfer),
    );
  }

  /** An OAuth2 token, or a client token with `*` (specification/authentication.md#scopes). */
  @Post(':paymentId/cancel')
  @HttpCode(200)
  @RequireScope('*')
  @Operation({
    id: 'cancelPayment',
    tag: 'Payments',
    summary: 'Cancel a payment',
    description:
      'While it is OPEN and no funds were seen, on any network and in any coin. Cancelling again returns the same. No ' +
      'webhook is sent.',
    returns: data(PaymentContract, 'The payment, cancelled.', {
      example: {
        ...OPEN,
        status: 'CANCELLED',
        cancelledAt: '2026-01-15T10:12:00Z',
        cancelReason: 'The customer changed her mind',
      },
    }),
    errors: ['payment_not_found', 'invalid_state_transition'],
  })
  async cancel(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Body() body: CancelPaymentContract,
  ): Promise<PaymentContract> {
    return this.presenter.payment(
      await this.payments.cancel(principal, checked(paymentId), body.reason ?? null),
    );
  }

  @Post(':paymentId/accept')
  @HttpCode(200)
  @RequireScope('*')
  @Operation({
    id: 'acceptPayment',
    tag: 'Payments',
    summary: 'Accept a payment as it is',
    description:
      'One that is UNDERPAID, one that waits because more than the amount was received, or one that is RECEIVED and ' +
      'whose webhook could not be delivered.\n\nWith `transferId`: a transfer on another network or in another coin than ' +
      'requested that you take all the same. It counts from now on, at the current rate, and the payment ' +
      'moves as after any other transfer; one that is not confirmed yet counts once it is. Accepting it again ' +
      'returns the same. To a CONFIRMED payment it is an overpayment, which you can refund; one that is CANCELLED, ' +
      'ERROR or REFUND stays so, and you can refund the funds. 409 when the transfer is no longer on the blockchain; 503 ' +
      'while no rate is known.',
    returns: data(PaymentContract, 'The payment, accepted.'),
    errors: ['payment_not_found', 'invalid_state_transition'],
  })
  async accept(
    @Idempotent() request: IdempotentRequest,
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @DraftBody(AcceptPaymentContract) draft: Draft<AcceptPaymentContract>,
  ): Promise<Once<PaymentContract>> {
    const named = draft.given.transferId;
    // The rate, before the transaction of the key, which must not wait for the network.
    if (named && UUID.test(paymentId)) await this.acceptances.prefetchRate(principal, paymentId, named);
    return request.once(draft, async () => {
      const { transferId } = draft.finish();
      const id = checked(paymentId);
      const state = transferId
        ? await this.acceptances.accept(principal, id, transferId)
        : await this.payments.accept(principal, id);
      return this.presenter.payment(state);
    });
  }

  @Post(':paymentId/keep')
  @HttpCode(200)
  @RequireScope('*')
  @Operation({
    id: 'keepPayment',
    tag: 'Payments',
    summary: 'Keep what is too much',
    description:
      'Ends `overpaid`, `paid_twice`, `paid_late`, `funds_after_end` and `unlisted_token` of `GET /api/attention` without a ' +
      'refund: you have agreed with the customer, ' +
      'or both payments of the reference are right. The status stays, and refunds remain possible. Repeating it returns ' +
      'the same. More that comes later is open again. A payment that is held because of its excess is accepted instead.',
    returns: data(PaymentContract, 'The payment.'),
    errors: ['payment_not_found', 'invalid_state_transition'],
  })
  async keep(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Body() body: KeepPaymentContract,
  ): Promise<PaymentContract> {
    return this.presenter.payment(
      await this.payments.keep(principal, checked(paymentId), body.amount ?? null),
    );
  }

  private shown({ items, pagination }: Page<PaymentSummary>) {
    return new Page(
      items.map((payment) => this.presenter.listItem(payment)),
      pagination,
    );
  }
}

/** Anything but a canonical UUID is not found (specification/conventions.md#identifiers). */
function checked(paymentId: string): string {
  if (!UUID.test(paymentId)) throw paymentNotFound();
  return paymentId;
}
