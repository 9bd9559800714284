import { Inject, Injectable } from '@nestjs/common';
import type { RenderedPage } from '../platform/web/html/page-document.js';
import { VERSION } from '../platform/kernel/version.js';
import { CONFIG, type Config } from '../config.js';
import { frontPage } from './front-page.js';

/** The page at `/`. */
@Injectable()
export class FrontPageService {
  private welcome: RenderedPage | null = null;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Called by the development profile, which has a page of its own for `/`. */
  welcomeBy(page: RenderedPage): void {
    this.welcome = page;
  }

  render(): RenderedPage {
    if (this.welcome) return this.welcome;
    const { baseUrl, production } = this.config;
    return frontPage({ baseUrl, version: VERSION, isDevelopment: !production });
  }
}
