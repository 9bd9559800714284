import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { sha256 } from '../platform/security/hmac.pure.js';
import { VERSION } from '../platform/runtime/version.js';
import { CONFIG, type Config } from '../config.js';
import { controllersOf } from './controllers-of.js';
import { createDocument } from './document.js';

/** The document, printed once. */
@Injectable()
export class OpenApiService {
  readonly text: string;
  readonly etag: string;

  constructor(modules: ModulesContainer, @Inject(CONFIG) { baseUrl }: Config) {
    const controllers = controllersOf([...modules.values()].map(({ metatype }) => metatype));
    this.text = JSON.stringify(createDocument(controllers, VERSION, baseUrl));
    this.etag = `"${sha256(this.text).toString('base64url').slice(0, 22)}"`;
  }
}
