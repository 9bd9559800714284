import { Inject, Injectable } from '@nestjs/common';
import type { RenderedPage } from '../platform/html/page-document.js';
import { VERSION } from '../platform/runtime/version.js';
import { CONFIG, type Config } from '../config.js';
import { frontPage } from './front-page.js';

/** The page at `/` and `/dashboard`. */
@Injectable()
export class FrontPageService {
  private demoCheckoutUrl: string | null = null;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Called by the development profile when its payment exists. */
  offerDemoCheckout(checkoutUrl: string): void {
    this.demoCheckoutUrl = checkoutUrl;
  }

  render(isDashboard: boolean): RenderedPage {
    const { baseUrl, production } = this.config;
    const demo = production ? null : { checkoutUrl: this.demoCheckoutUrl };
    return frontPage({ baseUrl, version: VERSION, demo, isDashboard });
  }
}
