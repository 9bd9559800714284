import { Injectable } from '@nestjs/common';
import type { AuthenticatedRows } from '../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../platform/integrity/row-authenticator.service.js';
import { ApplicationRepository, type StoredSite } from './application.repository.js';
import { STANDARD_EVENTS } from './event-types.pure.js';
import { SITES } from './site.entity.js';

export { SITE_VERSION } from './site.entity.js';

/** No shortfall is tolerated. */
const EXACT = { underpayLeastShareBps: 10_000, underpayToleranceBps: 0 };
/** About 2 kB each. */
const MAX_KNOWN = 5_000;

/** What a row has of the site that its statement joined. */
export interface JoinedSite {
  applicationId: string;
  /** {@link SITE_VERSION}; null: only a writer of the database takes the site away. */
  siteVersion: string | null;
}

/** What a payment follows. */
export interface SiteSettings extends Pick<
  StoredSite,
  | 'allowOverpay'
  | 'allowUnderpay'
  | 'underpayLeastShareBps'
  | 'underpayToleranceBps'
  | 'events'
  | 'confirmations'
> {
  hasCallback: boolean;
}

/**
 * The sites of payments and deliveries. Their statements join only the version of each; one that is not known yet is
 * read and authenticated, once.
 */
@Injectable()
export class JoinedSites {
  private readonly authenticated: AuthenticatedRows<StoredSite, (typeof SITES.fields)[number]>;
  /** Authentic sites by application, the one read longest ago first. */
  private readonly known = new Map<string, { version: string; site: StoredSite }>();

  constructor(
    private readonly applications: ApplicationRepository,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.of(SITES);
  }

  /**
   * In the order of the rows, each in the version that was joined, or a newer one. Null, and reported, if its settings
   * were not written by the gateway as they are; null if they are missing.
   */
  async listAuthentic(rows: readonly JoinedSite[]): Promise<(StoredSite | null)[]> {
    const known = rows.map((row) => this.findKnown(row));
    const unknown = rows.filter(({ siteVersion }, i) => siteVersion !== null && !known[i]);
    if (unknown.length === 0) return known;
    const read = await this.read([...new Set(unknown.map(({ applicationId }) => applicationId))]);
    return rows.map(({ applicationId, siteVersion }, i) =>
      siteVersion === null ? null : (known[i] ?? read.get(applicationId) ?? null),
    );
  }

  private findKnown({ applicationId, siteVersion }: JoinedSite): StoredSite | null {
    const known = this.known.get(applicationId);
    return known && known.version === siteVersion ? known.site : null;
  }

  private async read(applicationIds: readonly string[]): Promise<Map<string, StoredSite>> {
    const read = new Map<string, StoredSite>();
    for (const { version, site } of await this.applications.listSites(applicationIds)) {
      if (!this.authenticated.isAuthentic(site)) continue;
      read.set(site.applicationId, site);
      this.known.delete(site.applicationId);
      this.known.set(site.applicationId, { version, site });
    }
    for (const [oldest] of this.known) {
      if (this.known.size <= MAX_KNOWN) break;
      this.known.delete(oldest);
    }
    return read;
  }
}

/**
 * What decides about a payment (specification/applications.md#integrity). Settings that were changed outside of the
 * gateway decide nothing: no amount is accepted that is not exact, no event counts as acknowledged unsent, and the
 * chains' own confirmations are required.
 * @param site null: not authentic
 */
export function settingsOf(site: StoredSite | null): SiteSettings {
  if (site) {
    const { callbackUrl, allowOverpay, allowUnderpay, events, confirmations } = site;
    const { underpayLeastShareBps, underpayToleranceBps } = site;
    return {
      hasCallback: callbackUrl !== null,
      allowOverpay,
      allowUnderpay,
      underpayLeastShareBps,
      underpayToleranceBps,
      events,
      confirmations,
    };
  }
  return {
    hasCallback: true,
    allowOverpay: false,
    allowUnderpay: false,
    ...EXACT,
    events: STANDARD_EVENTS,
    confirmations: {},
  };
}
