/**
 * Why a node or provider refused a request, which decides what to do:
 * - `batch-limit`: send fewer calls together.
 * - `range-limit`, `result-limit`: ask for fewer blocks.
 * - `rate-limit`: pause, then send the same again.
 * - `plan-limit`: the provider's plan, or what the node keeps, does not include it. Only the operator can change that.
 * - `unsupported`: the node does not have the method.
 * - `lagging`: the node does not have the block yet.
 * - `unavailable`: the node did not process the request; it says nothing about the request itself.
 * - `invalid`: any other refusal.
 */
export type RefusalKind =
  | 'batch-limit'
  | 'range-limit'
  | 'result-limit'
  | 'rate-limit'
  | 'plan-limit'
  | 'unsupported'
  | 'lagging'
  | 'unavailable'
  | 'invalid';

/** A refusal and what the response advises. */
export interface Refusal {
  readonly kind: RefusalKind;
  /** Blocks that the node says it accepts at once; null when it does not say. */
  readonly blocks: number | null;
  /** Milliseconds that the node asks us to wait; null when it does not say. */
  readonly pauseMs: number | null;
}

/** What a refused request returned. */
export interface RefusedResponse {
  /** HTTP status. */
  status: number;
  /** The JSON-RPC error's code (EIP-1474); null when there is none. */
  code?: number | null;
  /** The error's message and the texts in its `data`, or the body where it is not JSON. */
  text: string;
  /** Whether the body is JSON; other bodies come from something in front of the node. Default: true. */
  isJson?: boolean;
  /** The refused method. */
  method?: string;
  /** Whether the request was one of several in a batch. */
  isBatched?: boolean;
  /** Whether methods are paths, so that HTTP 404 and 405 mean that the node does not have the method. */
  methodIsPath?: boolean;
  /** Milliseconds, by the `Retry-After` header. */
  retryAfterMs?: number | null;
}

export const UNAVAILABLE: Refusal = { kind: 'unavailable', blocks: null, pauseMs: null };

/** Methods whose cost grows with a range of blocks. */
const RANGE_METHODS = new Set(['eth_getLogs']);

/** Codes that need no text. `429` is Alchemy's; the others are of EIP-1474 (-32601: JSON-RPC 2.0). */
const KIND_OF_CODE: ReadonlyMap<number, RefusalKind> = new Map([
  [429, 'rate-limit'],
  [-32005, 'rate-limit'],
  [-32601, 'unsupported'],
  [-32004, 'unsupported'],
]);

/** `then` is looked for behind `text`: one pattern for both would take quadratic time. */
type Rule = readonly [kind: RefusalKind, text: RegExp, then?: RegExp];

/**
 * Texts of nodes and providers, first match wins. Providers reuse codes, so texts come first. The order matters: rate
 * limits advise to upgrade the plan, and range limits of free plans mention the plan; neither is a plan limit.
 * `refusal.pure.spec.ts` has the texts as they are sent, with their sources.
 */
const RULES: readonly Rule[] = [
  ['batch-limit', /\bbatch(es|ed|ing)?\b/i],
  [
    'result-limit',
    /log response size|response size (exceeded|should not|is larger)|response (is )?too (large|big)/i,
  ],
  ['result-limit', /returned more than [\d,.]+ results|exceeds max(imum)? results|too many (logs|results)/i],
  ['result-limit', /logs matched by query exceeds limit|query timeout/i],
  ['range-limit', /(block )?ranges? (is |are |of )?(too |larger|bigger|greater|over|exceed|limit exceeded)/i],
  ['range-limit', /(exceed|bigger|larger|greater|over|up to|limited|max)[^.]{0,46}\brange/i],
  ['range-limit', /\brange \d+ exceeds limit|range allowed for your plan|blocks distance|this block range/i],
  ['range-limit', /too many blocks|at most [\d,.]+ blocks|(more than|limited to|is) [\d,.]+ blocks?\b/i],
  ['rate-limit', /rate.?limit|too many requests?\b|too quickly|frequency|quota|throughput|throttl/i],
  ['rate-limit', /compute units per second|(per|\/) ?sec(ond)?\b|\brps\b|request rate|allowed_rps/i],
  ['rate-limit', /(daily|monthly) (request|usage|capacity|credit)|capacity (limit )?exceeded|usage limit/i],
  ['rate-limit', /lack of computing resources/i],
  ['unavailable', /no backend|not healthy|bad gateway|service unavailable|overloaded|too much load/i],
  ['unavailable', /request timeout|timed? ?out|deadline exceeded|execution timeout/i],
  [
    'lagging',
    /\b(header|block ?hash|block)( 0x[0-9a-f]+| #?\d+)? (not found|unknown|cannot be found|is not available)/i,
  ],
  [
    'lagging',
    /(unknown|no such|could not find) (block|header)|block meta not found|after last accepted block/i,
  ],
  ['plan-limit', /(free|current|your|this|paid|higher) (plan|tier)|upgrade (to|your)/i],
  ['plan-limit', /\bplan\b/i, /\b(upgrade|includ)/i],
  ['plan-limit', /archiv|missing trie node|older than \d+ blocks|history (is|has been) pruned|premium/i],
  ['plan-limit', /historical state|state (is )?(not|un)available/i],
  ['plan-limit', /\bstate\b/i, /pruned|recreate/i],
  ['plan-limit', /api.?key|authenticat|unauthori[sz]ed|project id|not allowed to access/i],
  [
    'unsupported',
    /method\b|[a-z]_[a-z]/i,
    /not (found|supported|available|allowed|enabled|whitelisted)|does not exist/i,
  ],
  ['unsupported', /unsupported method|is disabled/i],
];

/** Statuses of a refused key or an unpaid bill; 403 only with JSON, since web application firewalls send it as a page. */
const PLAN_STATUSES = new Set([401, 402]);
const FORBIDDEN = 403;
const TOO_MANY_REQUESTS = 429;
const SERVICE_UNAVAILABLE = 503;
const NO_SUCH_PATH = new Set([404, 405]);
/** Statuses of a request that is too large, or of no form that the server accepts. */
const REFUSED_BODY = new Set([400, 405, 413, 415, 422]);
const LIMIT_EXCEEDED = -32005;

/** Characters of a text that are looked at. */
const LONGEST_TEXT = 2_000;

/** The one place that decides what a refusal means. */
export function classifyRefusal(response: RefusedResponse): Refusal {
  const text = response.text.slice(0, LONGEST_TEXT).replace(/https?:\/\/\S+/g, '');
  const kind = kindOf(response, text);
  return {
    kind,
    blocks: kind === 'range-limit' || kind === 'result-limit' ? blocksIn(text) : null,
    pauseMs: kind === 'rate-limit' ? (response.retryAfterMs ?? pauseIn(text)) : null,
  };
}

function kindOf(response: RefusedResponse, text: string): RefusalKind {
  const {
    status,
    code = null,
    isJson = true,
    method = '',
    isBatched = false,
    methodIsPath = false,
  } = response;
  if (status === TOO_MANY_REQUESTS) return 'rate-limit';
  // RFC 9110, section 10.2.3: with 503, too, the header says for how long.
  if (status === SERVICE_UNAVAILABLE && (response.retryAfterMs ?? null) !== null) return 'rate-limit';
  if (methodIsPath && NO_SUCH_PATH.has(status)) return 'unsupported';
  if (!isJson)
    return /too many requests|rate.?limited/i.test(text) ? 'rate-limit' : kindOfStatus(status, isBatched);
  const ruled = RULES.find((rule) => applies(rule, text))?.[0];
  // A timeout of a query over a range is a matter of its length.
  if (ruled === 'unavailable' && RANGE_METHODS.has(method) && /time|deadline/i.test(text))
    return 'result-limit';
  // Geth cuts the responses of a batch by their total size; alone, each of them may fit.
  if (ruled === 'result-limit' && isBatched && /response too large/i.test(text)) return 'batch-limit';
  if (ruled) return ruled;
  // EIP-1474 "limit exceeded", without saying which: some nodes send it for long ranges of logs.
  if (code === LIMIT_EXCEEDED && RANGE_METHODS.has(method)) return 'range-limit';
  const coded = code === null ? undefined : KIND_OF_CODE.get(code);
  if (coded) return coded;
  if (PLAN_STATUSES.has(status) || status === FORBIDDEN) return 'plan-limit';
  if (status < 200 || status > 299) return kindOfStatus(status, isBatched);
  return code === null ? 'unavailable' : 'invalid';
}

function applies([, first, then]: Rule, text: string): boolean {
  const match = first.exec(text);
  return match !== null && (then === undefined || then.test(text.slice(match.index + match[0].length)));
}

/** By the status alone. */
function kindOfStatus(status: number, isBatched: boolean): RefusalKind {
  if (PLAN_STATUSES.has(status)) return 'plan-limit';
  return isBatched && REFUSED_BODY.has(status) ? 'batch-limit' : 'unavailable';
}

const SUGGESTED_RANGE = /\[(0x[0-9a-f]+),\s*(0x[0-9a-f]+)\]|range (\d+)-(\d+)/i;
const LONGEST_RANGE = 1_000_000;

/** The number of blocks that a text suggests: of its suggested range, else its last number, which names the limit. */
function blocksIn(text: string): number | null {
  const [, from, to, start, end] = SUGGESTED_RANGE.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return plausible(Number(to) - Number(from) + 1);
  if (start !== undefined && end !== undefined) return plausible(Number(end) - Number(start) + 1);
  if (!/block|range/i.test(text)) return null;
  const last = [...text.matchAll(/(?<![\w.])(\d{1,3}(?:[,.]\d{3})+|\d+)(k?)\b/gi)].at(-1);
  if (!last) return null;
  const [, digits = '', thousands] = last;
  return plausible(Number(digits.replace(/[,.]/g, '')) * (thousands ? 1_000 : 1));
}

function plausible(blocks: number): number | null {
  return Number.isSafeInteger(blocks) && blocks >= 1 && blocks <= LONGEST_RANGE ? blocks : null;
}

const MS_PER_UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Infura's `backoff_seconds`, TronGrid's "suspended for 5 s", and sentences like them. */
function pauseIn(text: string): number | null {
  const [, backoff] = /backoff_seconds["\s:]+([\d.]+)/.exec(text) ?? [];
  if (backoff !== undefined) return Number(backoff) * 1_000 || null;
  const [, amount, unit = 's'] =
    /(?:suspended for|retry after|retry in|again in|wait) (?:about )?([\d.]+) ?(ms|s|m)/i.exec(text) ?? [];
  if (amount === undefined) return null;
  return Math.round(Number(amount) * (MS_PER_UNIT[unit.toLowerCase()] ?? 1_000)) || null;
}
