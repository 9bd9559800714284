import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { Page } from '../platform/web/http/pagination.js';
import { type ApplicationView, presentSite } from './application-view.pure.js';
import {
  EXAMPLE_SITE_ID,
  isPageAsked,
  ListApplicationsQuery,
  SiteWithApplicationContract,
} from './applications.contract.js';
import {
  data,
  listOrPage,
  Operation,
  PathParameters,
  uuidParameter,
} from '../platform/web/contract/operation.js';
import { ApplicationsService } from './applications.service.js';

function presentSiteWithApplication(application: ApplicationView): SiteWithApplicationContract {
  return Object.assign(presentSite(application.site), { paymentApplicationId: application.id });
}

/** Sites are read-only here: they are changed through their application (specification/applications.md#sites). */
@Controller('api/sites')
@OAuthOnly('applications')
export class SitesController {
  constructor(private readonly applications: ApplicationsService) {}

  @Get()
  @Operation({
    id: 'listSites',
    tag: 'Payment applications',
    summary: 'List sites',
    description:
      'All of them, unless `page` or `per_page` is sent. Newest first. Sites are changed through their payment application.',
    returns: listOrPage(SiteWithApplicationContract, 'Your sites.'),
  })
  async list(
    @CurrentPrincipal() { userId }: Principal,
    @Query() query: ListApplicationsQuery,
    @Query() sent: object,
  ) {
    const page = isPageAsked(sent) ? query : null;
    const { items, total } = await this.applications.list(userId, query.trashed, page);
    return page
      ? Page.of(items.map(presentSiteWithApplication), total, page)
      : items.map(presentSiteWithApplication);
  }

  @Get(':siteId')
  @PathParameters({ siteId: uuidParameter('The site.', EXAMPLE_SITE_ID) })
  @Operation({
    id: 'getSite',
    tag: 'Payment applications',
    summary: 'Get a site',
    description: "The shop's title, addresses and settings. A site is created with its application.",
    returns: data(SiteWithApplicationContract, 'The site.'),
  })
  async get(@CurrentPrincipal() { userId }: Principal, @Param('siteId') siteId: string) {
    return presentSiteWithApplication(await this.applications.getOwnedBySiteId(userId, siteId));
  }
}
