import { toIsoSeconds, toIsoSecondsOrNull } from '../platform/runtime/clock.pure.js';
import type { ApplicationContract, SiteContract } from './applications.contract.js';
import type { ApplicationEntity } from './application.entity.js';
import type { SiteEntity } from './site.entity.js';

/** What other modules may see of an application; never its secrets. */
export const APPLICATION_FIELDS = [
  'id',
  'userId',
  'name',
  'clientId',
  'currencyWhitelist',
  'createdAt',
  'deletedAt',
] as const satisfies readonly (keyof ApplicationEntity)[];

/** What they may see of its site. */
export const SITE_FIELDS = [
  'id',
  'title',
  'url',
  'callbackUrl',
  'settingId',
  'settingTitle',
  'allowOverpay',
  'allowUnderpay',
  'confirmations',
  'events',
] as const satisfies readonly (keyof SiteEntity)[];

/** The site of an {@link ApplicationView} with its settings. */
export type SiteView = Pick<SiteEntity, (typeof SITE_FIELDS)[number]>;

/** An application with its site as other modules see it. */
export interface ApplicationView extends Pick<ApplicationEntity, (typeof APPLICATION_FIELDS)[number]> {
  site: SiteView;
  /** False: the site was changed outside of the gateway (specification/applications.md#integrity). */
  isSiteAuthentic: boolean;
}

/** Every route returns the application with all of these fields (specification/applications.md#routes). */
export function presentApplication(view: ApplicationView): ApplicationContract {
  return {
    id: view.id,
    name: view.name,
    clientId: view.clientId,
    userId: view.userId,
    currencyWhitelist: view.currencyWhitelist,
    events: view.site.events,
    site: presentSite(view.site),
    // Upload is out of scope (specification/applications.md#settings).
    paymentAppImage: null,
    createdAt: toIsoSeconds(view.createdAt),
    deletedAt: toIsoSecondsOrNull(view.deletedAt),
  };
}

/** A site with its setting (specification/applications.md#sites). */
export function presentSite(site: SiteView): SiteContract {
  const { id, title, url, callbackUrl, allowOverpay, allowUnderpay, confirmations } = site;
  return {
    id,
    title,
    url,
    callbackUrl,
    setting: { id: site.settingId, title: site.settingTitle, allowOverpay, allowUnderpay, confirmations },
  };
}
