import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { sha256 } from '../platform/security/hmac.pure.js';
import { VERSION } from '../platform/runtime/version.js';
import { CONFIG, type Config } from '../config.js';
import { controllersOf } from './controllers-of.js';
import { createDocument } from './document.js';

/** The document, printed when it is first asked for: it takes a part of a start, and most processes never need it. */
@Injectable()
export class OpenApiService {
  private printed: { text: string; etag: string } | null = null;

  constructor(
    private readonly modules: ModulesContainer,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    // While one develops, a route without a description ends the start.
    if (!config.production) this.print();
  }

  print(): { text: string; etag: string } {
    if (this.printed) return this.printed;
    const controllers = controllersOf([...this.modules.values()].map(({ metatype }) => metatype));
    const text = JSON.stringify(createDocument(controllers, VERSION, this.config.baseUrl));
    return (this.printed = { text, etag: `"${sha256(text).toString('base64url').slice(0, 22)}"` });
  }
}
