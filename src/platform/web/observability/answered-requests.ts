import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { addressNetwork, clientAddress } from '../../kernel/client-address.pure.js';
import { Clock } from '../../kernel/clock.pure.js';
import { sha256 } from '../../kernel/hmac.pure.js';
import type { Principal } from '../../kernel/principal.pure.js';
import { REQUEST_ID_HEADER } from '../../kernel/request-context.js';
import { bearerToken } from '../rate-limiting/rate-limit-category.pure.js';

/** What is kept in memory; more is left out, and counted. */
const MOST = 5_000;
/** Of one account, and of all requests whose token is not known yet. */
const MOST_OF_ONE = 1_000;
/** What may be a client token (src/tokens/client-token.pure.ts has its form, whose checksum does not matter here). */
const CLIENT_TOKEN = /^pct_[0-9A-Za-z]{40}$/;

/** With what a server has made a request. */
export interface ServerToken {
  userId: string;
  applicationId: string | null;
  /** Of a client token. */
  tokenId: string | null;
  /** Of the OAuth client whose own token it was. */
  oauthClientId: string | null;
}

/** A request of a merchant's server, as it was answered; url, key and body as they came, nothing is left out yet. */
export interface AnsweredRequest {
  /** When it arrived. */
  at: Date;
  requestId: string;
  method: string;
  route: string;
  url: string;
  status: number;
  durationMs: number;
  idempotencyKey: string | null;
  address: string;
  errorCode: string | null;
  errorBody: object | null;
  /** Or the SHA-256 of a client token that was not looked up, because the request was refused before. */
  by: ServerToken | { tokenHash: Buffer };
}

/** Requests that await being written to the log of their account; a request never waits for that. */
@Injectable()
export class AnsweredRequests {
  private waiting: AnsweredRequest[] = [];
  /** How many wait, by their account. */
  private readonly ofOne = new Map<string, number>();
  private leftOut = 0;

  constructor(private readonly clock: Clock) {}

  /** Keeps what a server has asked; a person, a customer's page and whoever sent no token leave nothing. */
  note(request: Request, response: Response, answered: { route: string; durationMs: number }): void {
    const by = serverOf(request, response.statusCode);
    if (by === null) return;
    const owner = ownerOf(by);
    const count = this.ofOne.get(owner) ?? 0;
    if (this.waiting.length >= MOST || count >= MOST_OF_ONE) {
      this.leftOut++;
      return;
    }
    this.ofOne.set(owner, count + 1);
    const { errorCode, errorBody } = response.locals as { errorCode?: string; errorBody?: object };
    this.waiting.push({
      at: new Date(this.clock.now().getTime() - answered.durationMs),
      requestId: String(response.getHeader(REQUEST_ID_HEADER)),
      method: request.method,
      route: answered.route,
      url: request.originalUrl,
      status: response.statusCode,
      durationMs: answered.durationMs,
      idempotencyKey: request.get('idempotency-key') ?? null,
      address: addressNetwork(clientAddress(request)),
      errorCode: errorCode ?? null,
      errorBody: errorBody ?? null,
      by,
    });
  }

  /** Up to `limit` of them, the oldest first, which are no longer here; and how many were left out since. */
  take(limit: number): { requests: AnsweredRequest[]; leftOut: number } {
    const requests = this.waiting.splice(0, limit);
    for (const { by } of requests) {
      const rest = (this.ofOne.get(ownerOf(by)) ?? 1) - 1;
      if (rest > 0) this.ofOne.set(ownerOf(by), rest);
      else this.ofOne.delete(ownerOf(by));
    }
    const { leftOut } = this;
    this.leftOut = 0;
    return { requests, leftOut };
  }
}

/** All whose token is not known yet are one. */
function ownerOf(by: AnsweredRequest['by']): string {
  return 'userId' in by ? by.userId : '';
}

function serverOf(request: Request, status: number): AnsweredRequest['by'] | null {
  const principal = request.user as Principal | undefined;
  if (principal?.kind === 'client') {
    const { userId, applicationId, tokenId } = principal;
    return { userId, applicationId, tokenId, oauthClientId: null };
  }
  if (principal) {
    const isServer = principal.signIn === null;
    const { userId, clientId: oauthClientId } = principal;
    return isServer ? { userId, applicationId: null, tokenId: null, oauthClientId } : null;
  }
  const token = status >= 400 ? bearerToken(request.headers.authorization) : null;
  return token !== null && CLIENT_TOKEN.test(token) ? { tokenHash: sha256(token) } : null;
}
