import { toIsoSeconds, toIsoSecondsOrNull } from '../platform/runtime/clock.pure.js';
import type { ApplicationContract, SiteContract } from './applications.contract.js';
import type { EventType } from './event-types.pure.js';
import type { Application } from './application.entity.js';

/** An application as other modules see it; never its secret. */
export interface ApplicationView {
  id: string;
  userId: string;
  name: string;
  clientId: string;
  /** Empty: every currency. */
  currencyWhitelist: string[];
  createdAt: Date;
  deletedAt: Date | null;
  site: SiteView;
}

/** The site of an {@link ApplicationView} with its settings. */
export interface SiteView {
  id: string;
  title: string;
  url: string | null;
  callbackUrl: string | null;
  settingId: string;
  settingTitle: string;
  allowOverpay: boolean;
  allowUnderpay: boolean;
  /** Required confirmations by chain, where the application overrides the chain's own number. */
  confirmations: Readonly<Record<string, number>>;
  /** Events that webhooks and the feed carry: the standard ones always, others if they are listed. */
  events: readonly EventType[];
}

/** A stored application, read together with its site. */
export function toApplicationView(application: Application): ApplicationView {
  const { id, userId, name, clientId, currencyWhitelist, createdAt, deletedAt, site } = application;
  return {
    id,
    userId,
    name,
    clientId,
    currencyWhitelist,
    createdAt,
    deletedAt,
    site: {
      id: site.id,
      title: site.title,
      url: site.url,
      callbackUrl: site.callbackUrl,
      settingId: site.settingId,
      settingTitle: site.settingTitle,
      allowOverpay: site.allowOverpay,
      allowUnderpay: site.allowUnderpay,
      confirmations: site.confirmations,
      events: site.events,
    },
  };
}

/** The application in its one form, with every field that any route shows (specification/applications.md#routes). */
export function toApplicationDto(view: ApplicationView): ApplicationContract {
  return {
    id: view.id,
    name: view.name,
    clientId: view.clientId,
    userId: view.userId,
    currencyWhitelist: view.currencyWhitelist,
    events: view.site.events,
    site: toSiteDto(view.site),
    // Upload is out of scope (specification/applications.md#settings).
    paymentAppImage: null,
    createdAt: toIsoSeconds(view.createdAt),
    deletedAt: toIsoSecondsOrNull(view.deletedAt),
  };
}

/** A site with its setting (specification/applications.md#sites). */
export function toSiteDto(site: SiteView): SiteContract {
  const { id, title, url, callbackUrl, allowOverpay, allowUnderpay, confirmations } = site;
  return {
    id,
    title,
    url,
    callbackUrl,
    setting: { id: site.settingId, title: site.settingTitle, allowOverpay, allowUnderpay, confirmations },
  };
}
