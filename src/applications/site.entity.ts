import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Locale } from '../platform/kernel/i18n/locale.pure.js';
import type { AuthenticatedTable } from '../platform/integrity/authenticated-rows.js';
import type { ListableEvent } from './event-types.pure.js';

/** The website of an application with its payment settings, one per application (specification/applications.md#sites). */
@Entity('sites')
export class SiteEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text', nullable: true })
  url: string | null;

  @Column({ name: 'callback_url', type: 'text', nullable: true })
  callbackUrl: string | null;

  @Column({ name: 'setting_id', type: 'uuid' })
  settingId: string;

  @Column({ name: 'setting_title', type: 'text' })
  settingTitle: string;

  @Column({ name: 'allow_overpay', type: 'boolean' })
  allowOverpay: boolean;

  @Column({ name: 'allow_underpay', type: 'boolean' })
  allowUnderpay: boolean;

  /** An underpayment of less, in hundredths of a percent of the amount due, is never accepted by itself. */
  @Column({ name: 'underpay_least_share_bps', type: 'integer' })
  underpayLeastShareBps: number;

  /** Hundredths of a percent of the amount due that may be missing of what counts as paid in full. */
  @Column({ name: 'underpay_tolerance_bps', type: 'integer' })
  underpayToleranceBps: number;

  /** Required confirmations by chain, where the application overrides the chain's own number. */
  @Column({ type: 'jsonb' })
  confirmations: Readonly<Record<string, number>>;

  /** Events that webhooks and the feed carry: the standard ones always, others if they are listed. */
  @Column({ type: 'text', array: true })
  events: readonly ListableEvent[];

  /** Since when `events` contains payment.expired: links that ended before are not announced. Null: it does not. */
  @Column({ name: 'expired_since', type: 'timestamptz', nullable: true, select: false })
  expiredSince: Date | null;

  /** `#rrggbb` in small letters. */
  @Column({ type: 'text', nullable: true })
  accent: string | null;

  /** An http(s) or mailto address, which customers are shown. */
  @Column({ name: 'support_url', type: 'text', nullable: true })
  supportUrl: string | null;

  @Column({ name: 'default_language', type: 'text', nullable: true })
  defaultLanguage: Locale | null;

  /** Null exactly where {@link logoHash} is. */
  @Column({ name: 'logo_id', type: 'uuid', nullable: true })
  logoId: string | null;

  /** In hexadecimal, of the bytes of `application_logos`. */
  @Column({ name: 'logo_hash', type: 'text', nullable: true })
  logoHash: string | null;

  @Column({ type: 'text', nullable: true, select: false })
  mac: string | null;
}

/**
 * Of a row of `sites` that a statement joins as `s`: another text after each change. Every change gives a row another
 * place or another transaction (PostgreSQL, "System Columns"); only a restored database may reuse both, hence the MAC.
 */
export const SITE_VERSION = `s.xmin || ' ' || s.ctid || ' ' || coalesce(s.mac, '')`;

/** Everything: where events go, and what is accepted as paid. */
const AUTHENTICATED = [
  'id',
  'applicationId',
  'userId',
  'title',
  'url',
  'callbackUrl',
  'settingId',
  'settingTitle',
  'allowOverpay',
  'allowUnderpay',
  'underpayLeastShareBps',
  'underpayToleranceBps',
  'confirmations',
  'events',
  'expiredSince',
  // What customers see of the shop, the support link above all.
  'accent',
  'supportUrl',
  'defaultLanguage',
  'logoId',
  'logoHash',
] as const;

export const SITES: AuthenticatedTable<SiteEntity, (typeof AUTHENTICATED)[number]> = {
  entity: SiteEntity,
  key: ['id'],
  fields: AUTHENTICATED,
  audited: { changes: 'all' },
};
