import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { sha256 } from '../platform/kernel/hmac.pure.js';
import { VERSION } from '../platform/kernel/version.js';
import { CONFIG, type Config } from '../config.js';
import { controllersOf } from './controllers-of.js';
import { createDocument } from './document.js';

interface Printed {
  text: string;
  etag: string;
}

/** By address and controllers: a test run starts hundreds of gateways in a process, and it is a fifth of a start. */
const printedBefore = new Map<string, Printed>();

/** The document, printed when it is first asked for: it takes a part of a start, and most processes never need it. */
@Injectable()
export class OpenApiService {
  private printed: Printed | null = null;

  constructor(
    private readonly modules: ModulesContainer,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    // While one develops, a route without a description ends the start.
    if (!config.production) this.print();
  }

  print(): Printed {
    return (this.printed ??= this.make());
  }

  private make(): Printed {
    const controllers = controllersOf([...this.modules.values()].map(({ metatype }) => metatype));
    const key = [this.config.baseUrl, ...controllers.map(({ name }) => name)].join(' ');
    const known = printedBefore.get(key);
    if (known) return known;
    const text = JSON.stringify(createDocument(controllers, VERSION, this.config.baseUrl));
    const made = { text, etag: `"${sha256(text).toString('base64url').slice(0, 22)}"` };
    printedBefore.set(key, made);
    return made;
  }
}
