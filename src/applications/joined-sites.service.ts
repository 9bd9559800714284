import { Injectable } from '@nestjs/common';
import { tableOf } from '../platform/database/entity-table.js';
import type { AuthenticatedRows } from '../platform/security/authenticated-rows.js';
import { RowAuthenticator } from '../platform/security/row-authenticator.service.js';
import { STANDARD_EVENTS } from './event-types.pure.js';
import { SiteEntity, SITES } from './site.entity.js';

/** A row of `sites` as JSON text, in which equal rows are equal. */
export type SiteRow = string;

/** The site that a statement joins as `s`, for {@link JoinedSites}. */
export const JOINED_SITE = 'to_json(s)::text as site';

/** About 2 kB each. */
const MAX_KNOWN = 5_000;

/** What a payment follows. */
export interface SiteSettings extends Pick<
  SiteEntity,
  'allowOverpay' | 'allowUnderpay' | 'events' | 'confirmations'
> {
  hasCallback: boolean;
}

/** The sites of payments and deliveries, which are read together with them. */
@Injectable()
export class JoinedSites {
  private readonly authenticated: AuthenticatedRows<SiteEntity, (typeof SITES.fields)[number]>;
  /** Authentic rows, the one known longest first: the same few are read with every payment and delivery. */
  private readonly known = new Map<SiteRow, SiteEntity>();

  constructor(authenticator: RowAuthenticator) {
    this.authenticated = authenticator.of(SITES);
  }

  /** False, and reported, if the settings were not written by the gateway as they are; false if they are missing. */
  isAuthentic(row: SiteRow | null): boolean {
    return this.find(row) !== null;
  }

  /**
   * What decides about a payment (specification/applications.md#integrity). Settings that were changed outside of the
   * gateway decide nothing: no amount is accepted that is not exact, no event counts as acknowledged unsent, and the
   * chains' own confirmations are required.
   */
  settingsOf(row: SiteRow | null): SiteSettings {
    const site = this.find(row);
    if (site) {
      const { callbackUrl, allowOverpay, allowUnderpay, events, confirmations } = site;
      return { hasCallback: callbackUrl !== null, allowOverpay, allowUnderpay, events, confirmations };
    }
    return {
      hasCallback: true,
      allowOverpay: false,
      allowUnderpay: false,
      events: STANDARD_EVENTS,
      confirmations: {},
    };
  }

  private find(row: SiteRow | null): SiteEntity | null {
    if (row === null) return null;
    const known = this.known.get(row);
    if (known) return known;
    const site = this.authenticated.authentic(siteOf(row));
    if (!site) return null;
    const [oldest] = this.known.keys();
    if (this.known.size >= MAX_KNOWN && oldest !== undefined) this.known.delete(oldest);
    this.known.set(row, site);
    return site;
  }
}

/** The row as the entity has it. */
export function siteOf(text: SiteRow): SiteEntity {
  const row = JSON.parse(text) as Record<string, unknown>;
  const columns = [...tableOf(SiteEntity).columns.values()];
  const values = columns.map(({ property, name, type }) => {
    const value = row[name] ?? null;
    return [property, type === 'timestamptz' && typeof value === 'string' ? new Date(value) : value];
  });
  return Object.fromEntries(values) as SiteEntity;
}
