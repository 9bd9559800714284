import { Injectable, Logger } from '@nestjs/common';
import type { ApplicationView } from '../../applications/application-view.pure.js';
import { ApplicationsService } from '../../applications/applications.service.js';
import type { Payment } from '../../payments/payment.pure.js';
import { PaymentsService } from '../../payments/payments.service.js';
import {
  CheckoutLinkError,
  type GatewayError,
  NotFoundError,
} from '../../platform/kernel/errors/errors.pure.js';
import type { PageRequest } from '../../platform/kernel/i18n/request-texts.js';
import { CheckoutLinks } from '../checkout-links.service.js';
import { knownPayment, type KnownPayment, KnownPayments } from './known-payments.pure.js';

/** Each is less than a kilobyte. */
const CAPACITY = 2_000;
const TOO_MANY_REQUESTS = 429;

/** Finds the payment of a request that failed, for who has its link. */
@Injectable()
export class PaymentErrors {
  private readonly logger = new Logger('CheckoutPage');
  private readonly known = new KnownPayments(CAPACITY);

  constructor(
    private readonly links: CheckoutLinks,
    private readonly payments: PaymentsService,
    private readonly applications: ApplicationsService,
  ) {}

  /** Called before the page is made, which may fail. */
  remember(payment: Payment, application: ApplicationView): void {
    this.known.remember(knownPayment(payment, application));
  }

  /**
   * Never throws.
   * @returns null if the signature of the link is wrong, so that ids do not leak, or if nothing is known
   */
  async find(
    paymentId: string,
    request: PageRequest,
    error: Pick<GatewayError, 'status'>,
  ): Promise<KnownPayment | null> {
    if (!this.isSigned(paymentId, request)) return null;
    const known = this.known.find(paymentId.toLowerCase());
    // After any other failure, the same would fail again. Limits are kept: it happens once for a payment.
    if (known || error.status !== TOO_MANY_REQUESTS) return known;
    try {
      const { payment } = await this.payments.get(paymentId);
      this.remember(payment, await this.applications.getById(payment.applicationId));
    } catch (cause) {
      this.logger.debug({ err: cause }, 'no payment for an error page');
    }
    return this.known.find(paymentId.toLowerCase());
  }

  private isSigned(paymentId: string, { query }: PageRequest): boolean {
    try {
      this.links.verify(paymentId, query, false);
      return true;
    } catch (error) {
      if (error instanceof CheckoutLinkError || error instanceof NotFoundError) return false;
      throw error;
    }
  }
}
