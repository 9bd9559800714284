import { Body, Controller, Get, Header, Put } from '@nestjs/common';
import { data, Operation } from '../../platform/web/contract/operation.js';
import { Clock, toIsoSeconds, toIsoSecondsOrNull } from '../../platform/kernel/clock.pure.js';
import { CurrentPrincipal, OAuthOnly } from '../../platform/web/security/auth.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { SavedViewsContract, SaveViewsContract } from './saved-views.contract.js';
import { SavedViewsRepository } from './saved-views.repository.js';

/** What a dashboard keeps for its user (specification/authentication.md#saved-views). */
@Controller('api/account/saved-views')
@OAuthOnly('account')
export class SavedViewsController {
  constructor(
    private readonly saved: SavedViewsRepository,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'getSavedViews',
    tag: 'Account',
    summary: 'Get your saved views',
    description: 'Lists with their filters that you have named in a dashboard.',
    returns: data(SavedViewsContract, 'The views; empty before any was saved.'),
  })
  async get(@CurrentPrincipal() { userId }: Principal): Promise<SavedViewsContract> {
    const found = await this.saved.find(userId);
    return { views: found?.views ?? {}, updatedAt: toIsoSecondsOrNull(found?.updatedAt ?? null) };
  }

  @Put()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'saveViews',
    tag: 'Account',
    summary: 'Save your views',
    description: 'Replaces all of them. The last one who saves wins.',
    returns: data(SavedViewsContract, 'The views as they are now.'),
  })
  async save(
    @CurrentPrincipal() { userId }: Principal,
    @Body() { views }: SaveViewsContract,
  ): Promise<SavedViewsContract> {
    const updatedAt = this.clock.now();
    await this.saved.save({ userId, views, updatedAt });
    return { views, updatedAt: toIsoSeconds(updatedAt) };
  }
}
