import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { PrincipalRequest } from '../../kernel/principal.pure.js';
import { NotFoundError } from '../../kernel/errors/errors.pure.js';

export type HintedRequest = Omit<Request, 'user'> & PrincipalRequest;

/** @returns the error, with a hint if there is one */
export type AddHint = (error: NotFoundError, request: HintedRequest) => Promise<NotFoundError>;

/** Hints of 404s (specification/errors.md#body). Only a feature module knows what could have been meant. */
@Injectable()
export class NotFoundHints {
  private addHint: AddHint = (error) => Promise.resolve(error);

  register(addHint: AddHint): void {
    this.addHint = addHint;
  }

  /** @returns any other error, and one that has a hint, as it is; what fails here, instead of the error */
  async addTo(error: unknown, request: HintedRequest): Promise<unknown> {
    if (!(error instanceof NotFoundError) || error.extra.hint !== undefined) return error;
    return this.addHint(error, request).catch((failure: unknown) => failure);
  }
}
