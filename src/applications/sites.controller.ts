import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, type Principal } from '../platform/security/auth.js';
import { Page } from '../platform/http/pagination.js';
import { type ApplicationView, toSiteDto } from './application-view.pure.js';
import { isPageAsked, ListApplicationsQuery } from './applications.dto.js';
import { ApplicationsService } from './applications.service.js';

function toDto(application: ApplicationView) {
  return { ...toSiteDto(application.site), paymentApplicationId: application.id };
}

/** Sites, to read only: they are written through their application (specification/applications.md#sites). */
@Controller('api/sites')
@OAuthOnly()
export class SitesController {
  constructor(private readonly applications: ApplicationsService) {}

  @Get()
  async list(
    @CurrentPrincipal() { userId }: Principal,
    @Query() query: ListApplicationsQuery,
    @Query() sent: object,
  ) {
    const page = isPageAsked(sent) ? query : null;
    const { items, total } = await this.applications.list(userId, query.trashed, page);
    return page ? Page.of(items.map(toDto), total, page) : items.map(toDto);
  }

  @Get(':siteId')
  async get(@CurrentPrincipal() { userId }: Principal, @Param('siteId') siteId: string) {
    return toDto(await this.applications.getOwnedBySiteId(userId, siteId));
  }
}
