import { toIsoSeconds, toIsoSecondsOrNull } from '../platform/kernel/clock.pure.js';
import type { ApplicationContract, SiteContract } from './applications.contract.js';
import type { ApplicationEntity } from './application.entity.js';
import { logoUrl } from './branding/logo-url.pure.js';
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
  'underpayLeastShareBps',
  'underpayToleranceBps',
  'confirmations',
  'events',
  'accent',
  'supportUrl',
  'defaultLanguage',
  'logoId',
  'logoHash',
] as const satisfies readonly (keyof SiteEntity)[];

/** The site of an {@link ApplicationView} with its settings. */
export type SiteView = Pick<SiteEntity, (typeof SITE_FIELDS)[number]>;

/** An application with its site as other modules see it. */
export interface ApplicationView extends Pick<ApplicationEntity, (typeof APPLICATION_FIELDS)[number]> {
  site: SiteView;
  /** False: the site was changed outside of the gateway (specification/applications.md#integrity). */
  isSiteAuthentic: boolean;
}

/**
 * Every route returns the application with all of these fields (specification/applications.md#routes).
 * @param baseUrl of the gateway, for the address of the logo
 */
export function presentApplication(view: ApplicationView, baseUrl: string): ApplicationContract {
  const { accent, supportUrl, defaultLanguage, logoId } = view.site;
  const url = logoUrl(view, baseUrl);
  return {
    id: view.id,
    name: view.name,
    clientId: view.clientId,
    userId: view.userId,
    currencyWhitelist: view.currencyWhitelist,
    events: view.site.events,
    site: presentSite(view.site),
    accent,
    supportUrl,
    defaultLanguage,
    paymentAppImage: logoId !== null && url !== null ? { id: logoId, url } : null,
    createdAt: toIsoSeconds(view.createdAt),
    deletedAt: toIsoSecondsOrNull(view.deletedAt),
  };
}

/** A site with its setting (specification/applications.md#sites). */
export function presentSite(site: SiteView): SiteContract {
  const { id, title, url, callbackUrl, allowOverpay, allowUnderpay, confirmations } = site;
  const { underpayLeastShareBps, underpayToleranceBps } = site;
  return {
    id,
    title,
    url,
    callbackUrl,
    setting: {
      id: site.settingId,
      title: site.settingTitle,
      allowOverpay,
      allowUnderpay,
      underpayLeastShareBps,
      underpayToleranceBps,
      confirmations,
    },
  };
}
