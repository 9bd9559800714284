import { parseExact } from '../../src/platform/kernel/exact-json.pure.js';
import { Contract, type Exchange } from '../support/contract/contract.js';
import type { Outcome } from './wire.js';

const MAKES_QUOTE = /^\/api\/checkout\/payment\/[^/]+\/provider\/method\//;

/** Decides whether the gateway took a request well: an answer, no 5xx, and all of it as documented. */
export class ResponseChecker {
  private readonly contract = new Contract();

  /** What is wrong; empty: nothing. */
  problems(outcome: Outcome): string[] {
    if ('failure' in outcome) return [`no answer: ${outcome.failure}`];
    const { exchange } = outcome;
    return [
      ...(exchange.status >= 500 && !isWithoutRate(exchange)
        ? [`status ${exchange.status}: ${excerpt(exchange)}`]
        : []),
      ...(exchange.headers['x-request-id'] ? [] : ['no request id']),
      ...this.contract.check(exchange),
    ];
  }
}

/**
 * The harness's rate sources know dollars only, and without a rate there is no quote: 503 with `Retry-After`, as the
 * specification says (specification/errors.md#status-codes). The one 5xx that a request can provoke, and none of the
 * gateway's faults.
 */
function isWithoutRate({ method, target, status, headers, body }: Exchange): boolean {
  if (status !== 503 || headers['retry-after'] === undefined) return false;
  // The answer to HEAD has no words; what makes a quote is known by its address.
  if (method === 'HEAD') return MAKES_QUOTE.test(target);
  const text = body.toString('utf8');
  return /"code":"service_unavailable"/.test(text) && /exchange rate/.test(text);
}

/** The answer of a good JSON exchange, or null. */
export function createdBody({ status, body }: Exchange): unknown {
  return status === 201 && body.length > 0 ? parseExact(body.toString('utf8')) : null;
}

function excerpt({ body }: Exchange): string {
  return body.toString('utf8').slice(0, 300);
}
