import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Query } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, OwnerOnly } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { Idempotent, IdempotentRequest } from '../platform/web/idempotency/idempotency.js';
import { Page } from '../platform/web/http/pagination.js';
import { data, listOrPage, Operation, PathParameters } from '../platform/web/contract/operation.js';
import { Draft, DraftBody } from '../platform/web/contract/read-contract.js';
import { CONFIG, type Config } from '../config.js';
import { type ApplicationView, presentApplication } from './application-view.pure.js';
import {
  APPLICATION_ID,
  ApplicationContract,
  CreateApplicationContract,
  EXAMPLE_SITE_UNDERPAID,
  isPageAsked,
  ListApplicationsQuery,
  UpdateApplicationContract,
} from './applications.contract.js';
import { ApplicationsService } from './applications.service.js';

const TAG = 'Payment applications';

/** The routes of payment applications (specification/applications.md#routes). */
@Controller('api/payment-applications')
@OAuthOnly('applications')
@PathParameters({ id: APPLICATION_ID })
export class ApplicationsController {
  constructor(
    private readonly applications: ApplicationsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Operation({
    id: 'listPaymentApplications',
    tag: TAG,
    summary: 'List payment applications',
    description: 'All of them, unless `page` or `per_page` is sent. Newest first.',
    returns: listOrPage(ApplicationContract, 'Your payment applications.'),
  })
  async list(
    @CurrentPrincipal() { userId }: Principal,
    @Query() query: ListApplicationsQuery,
    @Query() sent: object,
  ) {
    const page = isPageAsked(sent) ? query : null;
    const { items, total } = await this.applications.list(userId, query.trashed, page);
    const applications = items.map((item) => this.present(item));
    return page ? Page.of(applications, total, page) : applications;
  }

  @Get(':id')
  @Operation({
    id: 'getPaymentApplication',
    tag: TAG,
    summary: 'Get a payment application',
    description: 'Also a soft-deleted one, so that you can see what to restore.',
    returns: data(ApplicationContract, 'The payment application.'),
    errors: ['payment_application_not_found'],
  })
  async get(@CurrentPrincipal() { userId }: Principal, @Param('id') id: string) {
    return this.present(await this.applications.getOwned(userId, id));
  }

  @Post()
  @Operation({
    id: 'createPaymentApplication',
    tag: TAG,
    summary: 'Create a payment application',
    description:
      'The application and its site belong to you. Payments are created with the `clientId` of the response; `secret` signs the webhooks and is never returned.',
    returns: data(ApplicationContract, 'The new payment application.'),
  })
  create(
    @Idempotent() request: IdempotentRequest,
    @CurrentPrincipal() { userId }: Principal,
    @DraftBody(CreateApplicationContract) draft: Draft<CreateApplicationContract>,
  ) {
    return request.once(draft, async () => this.present(await this.applications.create(userId, draft)));
  }

  @Put(':id')
  @Operation({
    id: 'updatePaymentApplication',
    tag: TAG,
    summary: 'Update a payment application',
    description:
      'Only the fields that are sent change. For 24 hours after a change of `secret` the one before it signs too, and ' +
      'another change is refused until it ends.',
    body: {
      example: { callbackUrl: 'https://mystore.example/webhooks/payments', allowUnderpay: true },
      isWholeExample: true,
    },
    returns: data(ApplicationContract, 'The changed payment application.', {
      example: { site: EXAMPLE_SITE_UNDERPAID },
    }),
    errors: [
      'payment_application_not_found',
      'application_deleted',
      'settings_integrity',
      'secret_change_pending',
    ],
  })
  async update(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @DraftBody(UpdateApplicationContract) draft: Draft<UpdateApplicationContract>,
  ) {
    return this.present(await this.applications.update(userId, id, draft));
  }

  @Delete(':id')
  @OwnerOnly()
  @Operation({
    id: 'deletePaymentApplication',
    tag: TAG,
    summary: 'Soft-delete a payment application',
    description:
      'It takes no new payments; existing ones are still processed. Deleting again returns the same.',
    returns: data(ApplicationContract, 'The payment application, deleted.', {
      example: { deletedAt: '2026-02-01T09:30:00Z' },
    }),
    errors: ['payment_application_not_found'],
  })
  async delete(@CurrentPrincipal() { userId }: Principal, @Param('id') id: string) {
    return this.present(await this.applications.delete(userId, id));
  }

  @Post(':id/restore')
  @HttpCode(200)
  @Operation({
    id: 'restorePaymentApplication',
    tag: TAG,
    summary: 'Restore a payment application',
    description: 'Restoring an active one returns the same.',
    returns: data(ApplicationContract, 'The payment application, active.'),
    errors: ['payment_application_not_found'],
  })
  async restore(@CurrentPrincipal() { userId }: Principal, @Param('id') id: string) {
    return this.present(await this.applications.restore(userId, id));
  }

  private present(application: ApplicationView): ApplicationContract {
    return presentApplication(application, this.config.baseUrl);
  }
}
