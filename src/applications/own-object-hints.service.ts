import { Injectable } from '@nestjs/common';
import type { ErrorCode } from '../platform/kernel/errors/error-catalog.pure.js';
import type { NotFoundError } from '../platform/kernel/errors/errors.pure.js';
import { type HintedRequest, NotFoundHints } from '../platform/web/errors/not-found-hints.js';
import { describePathId, type IdKind } from '../platform/kernel/path-id.pure.js';
import { OwnObjectsRepository } from './own-objects.repository.js';

/** The path parameter that an error code refers to, and the kind of object it names. */
const PARAMETERS: Partial<Record<ErrorCode, readonly [parameter: string, kind: IdKind][]>> = {
  payment_not_found: [['paymentId', 'payment']],
  payment_application_not_found: [['id', 'payment application']],
  refund_not_found: [['refundId', 'refund']],
  not_found: [
    ['siteId', 'site'],
    ['tokenId', 'client token'],
    ['deliveryId', 'webhook delivery'],
  ],
};

/** The hint of a 404: the form of the id in the path, and what it is the id of if that belongs to the caller. */
@Injectable()
export class OwnObjectHints {
  constructor(
    hints: NotFoundHints,
    private readonly objects: OwnObjectsRepository,
  ) {
    hints.register((error, request) => this.addHint(error, request));
  }

  private async addHint(error: NotFoundError, { user, params }: HintedRequest): Promise<NotFoundError> {
    const [parameter, kind] =
      PARAMETERS[error.code]?.find(([name]) => typeof params[name] === 'string') ?? [];
    if (!user || !parameter || !kind) return error;
    const id = String(params[parameter]);
    const actual = await this.objects.findKind(user, id);
    return error.withHint(hintFor(kind, actual, id));
  }
}

function hintFor(kind: IdKind, actual: IdKind | null, id: string): string {
  if (actual === null) return describePathId(kind, id);
  return actual === kind
    ? `This ${kind} exists, but not below what the path names before it.`
    : `This is the id of one of your ${plural(actual)}; this path needs the id of a ${kind}.`;
}

function plural(kind: IdKind): string {
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
