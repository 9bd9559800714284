import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ApplicationView } from '../applications/application-view.pure.js';
import { ApplicationsService } from '../applications/applications.service.js';
import { callbackProblem } from '../applications/payment-callback.pure.js';
import { SettingsIntegrityError } from '../applications/settings-integrity.pure.js';
import { type WebhookUrlPolicy, webhookUrlPolicy } from '../applications/webhook-url-policy.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { CONFIG, type Config } from '../config.js';
import type { Draft } from '../platform/web/contract/read-contract.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import type { KeyToWrite } from '../platform/web/idempotency/idempotency.js';
import { KeyInUseError } from '../platform/web/idempotency/idempotency.service.js';
import { newId } from '../platform/kernel/ids.pure.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { DefaultWallets } from '../wallets/default-wallets.service.js';
import { applicationMessage, type Caller, deletedMessage } from './application-choice.pure.js';
import { checkBlockchain, checkExpiry, checkMoney } from './create-checks.pure.js';
import { noWallet, nothingEnabled } from './no-payment-method.pure.js';
import { payableNetworks } from './payable-networks.pure.js';
import { PaymentPresenter } from './payment-presenter.service.js';
import type { CreatePaymentContract } from './payment-requests.contract.js';
import { PaymentInsertionRepository } from './payment-insertion.repository.js';
import { UnpaidPaymentsLimit } from './unpaid-payments-limit.service.js';

/** Creates payments from requests of merchants (specification/payments.md#create). */
@Injectable()
export class PaymentCreationService {
  private readonly logger = new Logger('PaymentCreation');
  private readonly callbackPolicy: WebhookUrlPolicy;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly applications: ApplicationsService,
    private readonly chains: ChainsService,
    private readonly presenter: PaymentPresenter,
    private readonly insertions: PaymentInsertionRepository,
    private readonly unpaid: UnpaidPaymentsLimit,
    private readonly defaults: DefaultWallets,
  ) {
    this.callbackPolicy = webhookUrlPolicy(config.production, config.webhooks.allowedCidrs);
  }

  /**
   * Creates a payment and returns its signed checkout URL (specification/payments.md#create).
   * @param key of the request, to be written together with the payment
   * @throws ValidationError with every invalid field; GatewayError `too_many_unpaid_payments`; SettingsIntegrityError;
   *   KeyInUseError
   */
  async create(
    principal: Principal,
    draft: Draft<CreatePaymentContract>,
    key: KeyToWrite | null = null,
  ): Promise<{ id: string; checkoutUrl: string }> {
    const now = this.clock.now();
    const amount = checkMoney(draft, this.chains.enabledCodes);
    const application = await this.findApplication(principal, draft);
    checkBlockchain(draft, this.chains.list(), application?.currencyWhitelist ?? null);
    checkExpiry(draft, now);
    this.checkCallbackUrl(draft, application);
    const body = draft.finish();
    if (!application || !amount) throw new Error('a payment without application or amount passed its checks');
    if (!application.isSiteAuthentic) throw new SettingsIntegrityError();
    const { families, livemode } = payableNetworks(this.chains.list(), {
      currencyWhitelist: application.currencyWhitelist,
      blockchainSlug: body.blockchainSlug ?? null,
    });
    const requestedBy = {
      applicationId: application.id,
      currencyWhitelist: application.currencyWhitelist,
      field: body.clientId ? ('clientId' as const) : ('siteId' as const),
    };
    if (families.length === 0) throw nothingEnabled(requestedBy, this.chains.enabledCodes);
    await this.unpaid.admit(application.userId);
    const hasOperatorKey = await this.defaults.servesAny(application.userId, families);
    const payment = {
      id: newId(now),
      userId: application.userId,
      applicationId: application.id,
      reference: body.reference,
      referenceLabel: body.referenceLabel,
      currencyCode: body.currencyCode,
      settlementCurrencyCode: body.settlementCurrencyCode ?? body.currencyCode,
      amount: amount.units,
      redirectUrl: body.redirectUrl ?? null,
      blockchainSlug: body.blockchainSlug ?? null,
      productId: body.productId ?? null,
      callbackUrl: body.callbackUrl ?? null,
      metadata: body.metadata ?? {},
      livemode,
      expiresAt: this.expiresAt(body, now),
      createdAt: now,
    };
    const created = { id: payment.id, checkoutUrl: this.presenter.checkoutUrl(payment) };
    const outcome = await this.insertions.insert({
      payment,
      families: hasOperatorKey ? null : families,
      key: key?.finish(created) ?? null,
    });
    if (outcome === 'no_wallet') throw noWallet(requestedBy, families);
    if (outcome === 'key_in_use') throw new KeyInUseError();
    const { id: paymentId, applicationId, userId } = payment;
    this.logger.log({ paymentId, applicationId, userId }, 'payment created');
    return created;
  }

  /** In whole seconds, as the checkout link carries it. */
  private expiresAt({ expiresAt }: CreatePaymentContract, now: Date): Date {
    return expiresAt
      ? new Date(Math.floor(expiresAt.getTime() / 1000) * 1000)
      : new Date(now.getTime() + this.config.checkoutDefaultTtlSeconds * 1000);
  }

  /**
   * Finds the application of a new payment; a foreign, unknown or deleted one is reported for the field that named it
   * (specification/payments.md#create).
   */
  private async findApplication(
    principal: Principal,
    { given, problems }: Draft<CreatePaymentContract>,
  ): Promise<ApplicationView | null> {
    if (problems.has('clientId') || problems.has('siteId')) return null;
    const clientId = given.clientId ?? null;
    const siteId = given.siteId ?? null;
    if (clientId === null && siteId === null) {
      problems.add('clientId', 'The clientId field is required when siteId is not present.');
      return null;
    }
    const field = clientId === null ? 'siteId' : 'clientId';
    const application =
      clientId === null
        ? await this.applications.findBySiteId(siteId ?? '')
        : await this.applications.findByClientId(clientId);
    if (!application || !isOwn(principal, application)) {
      const sent = (field === 'clientId' ? clientId : siteId) ?? '';
      problems.add(field, applicationMessage(field, sent, await this.describeCaller(principal, sent)));
      return null;
    }
    if (application.deletedAt !== null) {
      problems.add(field, deletedMessage(field, application));
      return null;
    }
    if (clientId !== null && siteId !== null && application.site.id !== siteId) {
      problems.add(
        'siteId',
        'The siteId field must be the site of the payment application that clientId names. Send one of the two.',
      );
    }
    return application;
  }

  /** Reports a forbidden URL early; every delivery attempt checks it again (payment-callback.pure.ts). */
  private checkCallbackUrl(
    { given: { callbackUrl }, problems }: Draft<CreatePaymentContract>,
    application: ApplicationView | null,
  ): void {
    if (!callbackUrl || !application) return;
    const problem = callbackProblem(callbackUrl, application.site, this.callbackPolicy);
    if (problem !== null) problems.add('callbackUrl', problem);
  }

  /** Read only when the application is refused; see {@link applicationMessage}. */
  private async describeCaller(principal: Principal, sent: string): Promise<Caller> {
    const isClientToken = principal.kind === 'client';
    const id = sent.trim().toLowerCase();
    const own = isClientToken
      ? await this.applications.findOwned(principal.userId, principal.applicationId)
      : ((await this.applications.findOwned(principal.userId, id)) ??
        (await this.applications.findOwnedBySiteId(principal.userId, id)));
    return { own, isClientToken, oauthClientId: isClientToken ? null : principal.clientId };
  }
}

function isOwn(principal: Principal, application: ApplicationView): boolean {
  if (principal.kind === 'client' && principal.applicationId !== application.id) return false;
  return principal.userId === application.userId;
}
