import { Controller, Get, Param } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, type Principal } from '../platform/security/auth.js';
import { HoldingsService } from './holdings.service.js';

/** What the deposit addresses of an application have received. */
@Controller('api/payment-applications/:id/holdings')
@OAuthOnly()
export class HoldingsController {
  constructor(private readonly holdings: HoldingsService) {}

  @Get()
  async list(@CurrentPrincipal() { userId }: Principal, @Param('id') id: string) {
    return this.holdings.list(userId, id);
  }
}
