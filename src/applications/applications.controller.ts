import { Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, type Principal } from '../platform/security/auth.js';
import { Idempotent } from '../platform/idempotency/idempotency.js';
import { Page } from '../platform/http/pagination.js';
import { Draft, DraftBody } from '../platform/contract/read-dto.js';
import { toApplicationDto } from './application-view.pure.js';
import {
  CreateApplicationDto,
  isPageAsked,
  ListApplicationsQuery,
  UpdateApplicationDto,
} from './applications.dto.js';
import { ApplicationsService } from './applications.service.js';

/** The routes of payment applications (specification/applications.md#routes). */
@Controller('api/payment-applications')
@OAuthOnly()
export class ApplicationsController {
  constructor(private readonly applications: ApplicationsService) {}

  @Get()
  async list(
    @CurrentPrincipal() { userId }: Principal,
    @Query() query: ListApplicationsQuery,
    @Query() sent: object,
  ) {
    const page = isPageAsked(sent) ? query : null;
    const { items, total } = await this.applications.list(userId, query.trashed, page);
    const applications = items.map(toApplicationDto);
    return page ? Page.of(applications, total, page) : applications;
  }

  @Get(':id')
  async get(@CurrentPrincipal() { userId }: Principal, @Param('id') id: string) {
    return toApplicationDto(await this.applications.getOwned(userId, id));
  }

  @Post()
  @Idempotent()
  async create(
    @CurrentPrincipal() { userId }: Principal,
    @DraftBody(CreateApplicationDto) draft: Draft<CreateApplicationDto>,
  ) {
    return toApplicationDto(await this.applications.create(userId, draft));
  }

  @Put(':id')
  async update(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @DraftBody(UpdateApplicationDto) draft: Draft<UpdateApplicationDto>,
  ) {
    return toApplicationDto(await this.applications.update(userId, id, draft));
  }

  @Delete(':id')
  async delete(@CurrentPrincipal() { userId }: Principal, @Param('id') id: string) {
    return toApplicationDto(await this.applications.delete(userId, id));
  }

  @Post(':id/restore')
  @HttpCode(200)
  async restore(@CurrentPrincipal() { userId }: Principal, @Param('id') id: string) {
    return toApplicationDto(await this.applications.restore(userId, id));
  }
}
