import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { hashOfPresented } from '../platform/web/security/presented-token.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { type RecentRead, RecentReads } from '../platform/database/recent-reads.js';
import { CONFIG, type Config } from '../config.js';
import { isClientToken } from './client-token.pure.js';
import { refusalOfClientToken } from './client-token-refusal.pure.js';
import { ClientTokenRepository, type ValidToken } from './client-token.repository.js';

export type ClientPrincipal = Extract<Principal, { kind: 'client' }>;

/**
 * Precision of `lastUsedAt` (specification/authentication.md#client-tokens): a busy token must not cause a write per
 * request.
 */
const LAST_USED_INTERVAL_MS = 60_000;

/** Resolves client tokens to principals. */
@Injectable()
export class ClientTokenPrincipalsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('ClientTokens');
  /** Writes of `lastUsedAt` in progress, by token id. */
  private readonly touches = new Map<string, Promise<void>>();
  /** By the hash of the token. */
  private readonly recent: RecentRead<ValidToken>;

  constructor(
    private readonly tokens: ClientTokenRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    recent: RecentReads,
  ) {
    this.recent = recent.of();
  }

  /** Null if the token is unknown, expired or revoked, or its application or user is disabled. */
  async findPrincipal(token: string): Promise<ClientPrincipal | null> {
    if (!isClientToken(token)) return null;
    const hash = hashOfPresented(token);
    const now = this.clock.now();
    const valid = await this.recent.get(hash.toString('base64'), () => this.tokens.findValid(hash, now));
    if (!valid || isExpired(valid, now) || !this.isUsable(valid)) return null;
    this.touch(valid);
    const { id: tokenId, applicationId, userId, scopes } = valid;
    return { kind: 'client', userId, applicationId, tokenId, scopes };
  }

  /**
   * Why a well-formed token is invalid, for a client that presents all of it. A single statement, run only after
   * {@link findPrincipal} returned null.
   */
  async explainRefusal(token: string): Promise<string> {
    const stored = await this.tokens.findState(hashOfPresented(token));
    return refusalOfClientToken(stored, this.clock.now());
  }

  /** Waits for the writes in progress. */
  async flush(): Promise<void> {
    await Promise.all(this.touches.values());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** A user without a row is one of the external issuer; without one, the row of a user was deleted. */
  private isUsable({ user }: ValidToken): boolean {
    return user === 'active' || (user === 'absent' && this.config.externalIssuer !== null);
  }

  /** Not awaited: the request continues, and a lost write only makes `lastUsedAt` older than it could be. */
  private touch(token: ValidToken): void {
    const { id, lastUsedAt } = token;
    const now = this.clock.now();
    const due = new Date(now.getTime() - LAST_USED_INTERVAL_MS);
    if (this.touches.has(id) || (lastUsedAt && lastUsedAt > due)) return;
    // It is remembered, with this.
    token.lastUsedAt = now;
    const write = this.tokens
      .touch(id, now, due)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.logger.warn({ tokenId: id, error: reason }, 'lastUsedAt not written');
      })
      .finally(() => this.touches.delete(id));
    this.touches.set(id, write);
  }
}

/** Since it was read. */
function isExpired({ expiresAt }: ValidToken, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}
