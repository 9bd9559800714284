import { type Refusal, type RefusalKind, UNAVAILABLE } from './refusal.pure.js';

/** The node did not respond, or refused the request. `code` is the node's (EIP-1474); null when it sent none. */
export class RpcError extends Error {
  constructor(
    /** The method, or what was asked together. */
    readonly label: string,
    detail: string,
    readonly refusal: Refusal = UNAVAILABLE,
    readonly code: number | null = null,
  ) {
    super(`${label}: ${detail}`);
  }

  get kind(): RefusalKind {
    return this.refusal.kind;
  }

  /** True when this node or plan does not offer the method, as opposed to a failure of this call. */
  get isUnsupported(): boolean {
    return this.kind === 'unsupported' || this.kind === 'plan-limit';
  }
}

/** The response is longer than what is accepted. */
export class ResponseTooLongError extends RpcError {}

/** The kind of a refusal; null for any other error. */
export function refusalKindOf(error: unknown): RefusalKind | null {
  return error instanceof RpcError ? error.kind : null;
}
