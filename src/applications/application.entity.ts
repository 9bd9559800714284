import type { EventType } from './event-types.pure.js';
import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

/** A merchant's payment application; its site is written only through it (specification/applications.md#sites). */
@Entity('payment_applications')
export class Application {
  @PrimaryColumn('uuid')
  id: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ name: 'client_id', type: 'text' })
  clientId: string;

  /** Empty: every currency. */
  @Column({ name: 'currency_whitelist', type: 'text', array: true })
  currencyWhitelist: string[];

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt: Date | null;

  @OneToOne(() => Site, (site) => site.application)
  site: Relation<Site>;
}

/** The website of an application and its payment settings: 1:1 (specification/applications.md#sites). */
@Entity('sites')
export class Site {
  @PrimaryColumn('uuid')
  id: string;

  @OneToOne(() => Application, (application) => application.site)
  @JoinColumn({ name: 'application_id' })
  application: Relation<Application>;

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

  /** Required confirmations by chain. */
  @Column({ type: 'jsonb' })
  confirmations: Record<string, number>;

  /** Events that webhooks and the feed carry. */
  @Column({ type: 'text', array: true })
  events: EventType[];
}
