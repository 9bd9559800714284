import { Checkout } from './checkout.js';
import { type GatewayOptions, Http } from './http.js';
import { Overview } from './overview.js';
import { Payments } from './payments.js';

/** A client of a gateway. Create one and keep it. */
export class Gateway {
  readonly payments: Payments;
  readonly checkout: Checkout;
  readonly overview: Overview;

  constructor(options: GatewayOptions) {
    const http = new Http(options);
    this.payments = new Payments(http);
    this.checkout = new Checkout(http);
    this.overview = new Overview(http);
  }
}
