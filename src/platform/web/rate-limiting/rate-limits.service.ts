import { Inject, Injectable, Logger } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { CONFIG, type Config } from '../../../config.js';
import { clientAddress } from '../../kernel/client-address.pure.js';
import { currentRequest } from '../../kernel/request-context.js';
import { Clock } from '../../kernel/clock.pure.js';
import type { TooManyRequestsError } from '../../kernel/errors/errors.pure.js';
import { BruteForceThrottle } from './brute-force-throttle.service.js';
import { sha256 } from '../../kernel/hmac.pure.js';
import { hashOfPresented } from '../security/presented-token.js';
import type { Admission } from '../../kernel/admission.pure.js';
import { RateBuckets } from './rate-buckets.pure.js';
import {
  evenly,
  headersOf,
  minutely,
  type Policy,
  refusalOf,
  type Standing,
  tightest,
} from './rate-limit.pure.js';
import { bearerToken, classify, type RateLimitCategory } from './rate-limit-category.pure.js';

/** Keys per policy; about 100 bytes each. */
const MAX_KEYS = 50_000;
/** Tokens that were recently valid. */
const MAX_KNOWN_TOKENS = 20_000;
/** Refusals of one user, token or address that are sent at once; later ones are sent after a pause. */
const PROMPT_REFUSALS: Policy = { name: 'refusals', quota: 20, windowSeconds: 60 };
/** Milliseconds. Pauses differ, so that the clients of one user do not all come back in the same moment. */
const REFUSAL_PAUSE = { min: 1_000, max: 2_000 };
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Express's request, whatever the type of its `user`. */
type AnyRequest = Omit<Request, 'user'>;

type CheckoutCategory = Extract<RateLimitCategory, { kind: 'checkout' }>;

/** A limit, and what is counted for it; null: the limit is switched off. */
type KeyedBuckets = readonly [RateBuckets | null, key: string];

/**
 * Limits requests per minute by token, and without one by address and payment
 * (specification/rate-limits.md#what-is-counted). They are counted in this process's memory, so a request costs no
 * write, and n processes admit n times as many. Until the database has confirmed a token, the request counts for its
 * address, so that invented tokens have no quota of their own.
 */
@Injectable()
export class RateLimits {
  private readonly logger = new Logger('RateLimits');
  private readonly reads: RateBuckets | null;
  private readonly writes: RateBuckets | null;
  private readonly userReads: RateBuckets | null;
  private readonly userWrites: RateBuckets | null;
  private readonly payments: RateBuckets | null;
  private readonly addresses: RateBuckets | null;
  private readonly polls: RateBuckets | null;
  private readonly addressPolls: RateBuckets | null;
  private readonly refusedGrants: RateBuckets | null;
  private readonly grants: RateBuckets | null;
  private readonly refusals = new RateBuckets(PROMPT_REFUSALS, MAX_KEYS);
  /** Users by token; the least recently used token first. */
  private readonly knownTokens = new Map<string, string>();
  /** Keys that unfinished requests to the token endpoint count for, by their response. */
  private readonly tokenRequests = new WeakMap<object, string>();
  private hasWarnedOfProxy = false;

  constructor(
    @Inject(CONFIG) { rateLimits }: Config,
    private readonly clock: Clock,
    private readonly failures: BruteForceThrottle,
  ) {
    const buckets = (name: string, quota: number, policyOf = minutely) => {
      const policy = policyOf(name, quota);
      return policy && new RateBuckets(policy, MAX_KEYS);
    };
    this.reads = buckets('default', rateLimits.reads);
    this.writes = buckets('writes', rateLimits.writes);
    this.userReads = buckets('user-reads', rateLimits.userReads, evenly);
    this.userWrites = buckets('user-writes', rateLimits.userWrites, evenly);
    this.payments = buckets('payment', rateLimits.payment);
    this.addresses = buckets('address', rateLimits.address);
    this.polls = buckets('polls', rateLimits.polls);
    this.addressPolls = buckets('address-polls', rateLimits.addressPolls);
    this.refusedGrants = buckets('client', rateLimits.tokenEndpoint);
    this.grants = buckets('tokens', rateLimits.tokens);
  }

  /** Express middleware; runs before the body is read and before any query. */
  readonly limit = (request: Request, response: Response, next: NextFunction): void => {
    const category = classify(request.path);
    if (category.kind === 'unlimited') return next();
    this.warnAboutProxy(request);
    const admission =
      category.kind === 'checkout'
        ? this.limitByPayment(request, response, category)
        : this.limitByToken(request, response);
    const current = currentRequest();
    // Otherwise a refusal that is left to the route would be lost.
    if (!current) throw new Error('a request is limited outside of its context');
    current.admission = admission;
    const { refusal, token, userId, address } = admission;
    if (!refusal) return next();
    const isShownByRoute = category.kind === 'oauth' || (category.kind === 'checkout' && category.isPage);
    const refuse = () => (isShownByRoute ? next() : next(refusal));
    // Answering a client that repeats refused requests without a pause would take the processor from all others.
    const isHammering =
      this.refusals.take(userId ?? token ?? address, this.nowMs()).retryAfterSeconds !== null;
    if (isHammering) setTimeout(refuse, randomInt(REFUSAL_PAUSE.min, REFUSAL_PAUSE.max));
    else refuse();
  };

  /** @throws TooManyRequestsError that {@link limit} has left to the route */
  requireAdmission(): void {
    const refusal = currentRequest()?.admission?.refusal;
    if (refusal) throw refusal;
  }

  /** The token is valid: this request and later ones count for the token and its user. */
  acceptToken(request: AnyRequest, response: Response, userId: string): void {
    const admission = currentRequest()?.admission;
    if (!admission?.token || admission.userId !== null) return;
    const { token, address } = admission;
    const [oldest] = this.knownTokens.keys();
    if (this.knownTokens.size >= MAX_KNOWN_TOKENS && oldest !== undefined) this.knownTokens.delete(oldest);
    this.knownTokens.set(token, userId);
    this.addresses?.giveBack(address);
    const refusal = this.spend(response, this.bucketsOf(request, token, userId));
    if (refusal) throw refusal;
  }

  /** The token is invalid. @throws TooManyRequestsError if that happened too often */
  async refuseToken(request: AnyRequest): Promise<void> {
    const token = currentRequest()?.admission?.token;
    if (token) this.knownTokens.delete(token);
    const standing = await this.failures.count('token', clientAddress(request));
    if (standing && standing.retryAfterSeconds !== null) throw refusalOf([standing]);
  }

  /**
   * Admits a request to the token endpoint; {@link settleTokenRequest} reports its outcome. Programs that start often
   * fetch many tokens, so only failures can be guesses. Both limits are per address and client, so that one client
   * cannot exhaust another's quota.
   * @throws TooManyRequestsError
   */
  admitTokenRequest(request: IncomingMessage, response: ServerResponse, clientId: string): void {
    const key = sha256(JSON.stringify([clientAddress(request), clientId])).toString('base64url');
    const refused = this.refusedGrants?.peek(key, this.nowMs());
    // Taken before the outcome is known, so that concurrent requests cannot exceed the limit.
    const granted = refused?.retryAfterSeconds ? null : this.grants?.take(key, this.nowMs());
    const refusal = show(response, [refused, granted ?? this.grants?.peek(key, this.nowMs())]);
    if (refusal) throw refusal;
    this.tokenRequests.set(response, key);
  }

  /**
   * Call it before the response is sent.
   * @param outcome `other` (a failure of the gateway, or another limit) counts for neither
   */
  settleTokenRequest(response: ServerResponse, outcome: 'granted' | 'refused' | 'other'): void {
    const key = this.tokenRequests.get(response);
    if (key === undefined) return;
    this.tokenRequests.delete(response);
    if (outcome === 'granted') return;
    this.grants?.giveBack(key);
    if (outcome === 'other') return;
    const now = this.nowMs();
    show(response, [this.refusedGrants?.take(key, now), this.grants?.peek(key, now)]);
  }

  private limitByPayment(
    request: Request,
    response: Response,
    { paymentId, isPoll }: CheckoutCategory,
  ): Admission {
    const address = clientAddress(request);
    // A form that is sent to the path of a poll is no poll.
    const [ofAddress, ofPayment] =
      isPoll && READING.has(request.method)
        ? [this.addressPolls, this.polls]
        : [this.addresses, this.payments];
    const standings = [
      ofAddress?.take(address, this.nowMs()),
      paymentId !== null && ofPayment?.take(`${address} ${paymentId}`, this.nowMs()),
    ];
    return { address, token: null, userId: null, refusal: show(response, standings) };
  }

  private limitByToken(request: Request, response: Response): Admission {
    const address = clientAddress(request);
    const presented = bearerToken(request.headers.authorization);
    const token = presented === null ? null : hashOfPresented(presented).toString('base64url');
    const userId = token === null ? null : (this.knownTokens.get(token) ?? null);
    if (token !== null && userId !== null) {
      this.knownTokens.delete(token);
      this.knownTokens.set(token, userId);
    }
    // A token that this process has seen as valid passes even while other requests of its address fail.
    const shutOut = token !== null && userId === null ? this.failures.recall('token', address) : null;
    const count = () =>
      this.spend(
        response,
        token !== null && userId !== null
          ? this.bucketsOf(request, token, userId)
          : [[this.addresses, address]],
      );
    return { address, token, userId, refusal: shutOut ? refusalOf([shutOut]) : count() };
  }

  private bucketsOf({ method }: AnyRequest, token: string, userId: string): KeyedBuckets[] {
    return READING.has(method)
      ? [
          [this.reads, token],
          [this.userReads, userId],
        ]
      : [
          [this.writes, token],
          [this.userWrites, userId],
        ];
  }

  /** Takes one request out of each bucket, or out of none if one of them is empty. */
  private spend(response: ServerResponse, buckets: readonly KeyedBuckets[]): TooManyRequestsError | null {
    const now = this.nowMs();
    const standings = buckets.map(([of, key]) => of?.take(key, now));
    const refusal = show(response, standings);
    if (refusal)
      for (const [i, [of, key]] of buckets.entries()) if (!standings[i]?.retryAfterSeconds) of?.giveBack(key);
    return refusal;
  }

  private nowMs(): number {
    return this.clock.now().getTime();
  }

  /** Without the setting, all clients behind a proxy share the proxy's quota. */
  private warnAboutProxy({ headers, ips, socket }: Request): void {
    if (this.hasWarnedOfProxy || headers['x-forwarded-for'] === undefined || ips.length > 0) return;
    this.hasWarnedOfProxy = true;
    this.logger.warn(
      { peer: socket.remoteAddress },
      'X-Forwarded-For is ignored: this peer is not in TRUSTED_PROXIES, and all of its clients count as one',
    );
  }
}

/** Writes the rate-limit headers and returns the refusal, if the request is refused. */
function show(
  response: ServerResponse,
  taken: readonly (Standing | false | null | undefined)[],
): TooManyRequestsError | null {
  const standings = taken.filter((standing) => typeof standing === 'object' && standing !== null);
  for (const [name, value] of Object.entries(headersOf(standings))) response.setHeader(name, value);
  return tightest(standings)?.retryAfterSeconds ? refusalOf(standings) : null;
}
