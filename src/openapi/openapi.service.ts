import { Injectable } from '@nestjs/common';
import { sha256 } from '../common/hmac.js';
import { VERSION } from '../common/version.js';
import { createDocument } from './document.js';

/** The document, printed once. */
@Injectable()
export class OpenApiService {
  readonly text = JSON.stringify(createDocument(VERSION));
  readonly etag = `"${sha256(this.text).toString('base64url').slice(0, 22)}"`;
}
