import type { IncomingHttpHeaders } from 'node:http';
import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import type { PageRequest } from '../../platform/kernel/i18n/request-texts.js';
import { cookieValue, SEEN_COOKIE } from '../../platform/web/http/cookies.pure.js';
import { CheckoutLinks } from '../checkout-links.service.js';
import { type DecidedAccess, decideAccess, LOOK_SECONDS } from './page-access.pure.js';
import { addSeen, readSeen, seenKeyOf, writeSeen } from './seen-payments.pure.js';

/** A page's request, with what its browser has kept. */
export type PageVisitRequest = PageRequest & { headers: Pick<IncomingHttpHeaders, 'cookie'> };

export interface GrantedAccess extends DecidedAccess {
  /** `Set-Cookie` for a browser that sees the payment for the first time; null: it has it, or the link has ended. */
  cookie: string | null;
  /** For the requests of a browser that sent no cookie; null: it sent one, or has not seen the payment. */
  proof: string | null;
}

/** What a request of the page may see of its payment, by its link and by what its browser has kept. */
@Injectable()
export class PageAccessService {
  private readonly keys: KeyObject[];
  private readonly name: string;
  private readonly attributes: string;

  constructor(
    @Inject(CONFIG) { baseUrl, checkoutSigningKeys }: Config,
    private readonly links: CheckoutLinks,
    private readonly clock: Clock,
  ) {
    this.keys = checkoutSigningKeys.map(seenKeyOf);
    const { protocol, pathname } = new URL(`${baseUrl}/checkout`);
    const isSecure = protocol === 'https:';
    this.name = isSecure ? SEEN_COOKIE.secure : SEEN_COOKIE.plain;
    this.attributes = `; Path=${pathname}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /** Runs before anything is loaded. @throws CheckoutLinkError for a wrong signature; NotFoundError for a malformed id */
  decide(paymentId: string, { query, headers }: PageVisitRequest): GrantedAccess {
    const link = this.links.verify(paymentId, query, false);
    const now = this.clock.unixSeconds();
    // The signature covers it: whole seconds.
    const linkEnd = Number(query['expires']);
    const kept = readSeen(this.keys, cookieValue(headers.cookie, this.name), now);
    const isIn = (seen: readonly { id: string }[]) => seen.some(({ id }) => id === paymentId);
    const hasCookie = isIn(kept);
    const hasSeen = hasCookie || isIn(readSeen(this.keys, query['seen'], now));
    const decided = decideAccess({ link, linkEnd, hasSeen, now });
    if (!decided) throw new Error('a link that is not ours was refused before');
    if (hasCookie || decided.access === 'state') return { ...decided, cookie: null, proof: null };
    const seen = { id: paymentId, until: linkEnd + LOOK_SECONDS };
    const proof = this.write([seen]);
    if (decided.access === 'look') return { ...decided, cookie: null, proof };
    const all = addSeen(kept, seen);
    const maxAge = Math.max(...all.map(({ until }) => until)) - now;
    const cookie = `${this.name}=${this.write(all)}; Max-Age=${maxAge}${this.attributes}`;
    return { ...decided, cookie, proof };
  }

  private write(seen: Parameters<typeof writeSeen>[1]): string {
    const [newest] = this.keys;
    if (!newest) throw new Error('there is a checkout signing key');
    return writeSeen(newest, seen);
  }
}
