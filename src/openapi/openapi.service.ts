import { Inject, Injectable } from '@nestjs/common';
import { sha256 } from '../platform/security/hmac.pure.js';
import { VERSION } from '../platform/runtime/version.js';
import { CONFIG, type Config } from '../config.js';
import { createDocument } from './document.js';

/** The document, printed once. */
@Injectable()
export class OpenApiService {
  readonly text: string;
  readonly etag: string;

  constructor(@Inject(CONFIG) { baseUrl }: Config) {
    this.text = JSON.stringify(createDocument(VERSION, baseUrl));
    this.etag = `"${sha256(this.text).toString('base64url').slice(0, 22)}"`;
  }
}
