import { Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { data, nothing, Operation, PathParameters } from '../../platform/web/contract/operation.js';
import { Draft, DraftBody } from '../../platform/web/contract/read-contract.js';
import { CurrentPrincipal, OAuthOnly } from '../../platform/web/security/auth.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { APPLICATION_ID } from '../applications.contract.js';
import { LogoContract, PutLogoContract } from './logo.contract.js';
import { LogosService } from './logos.service.js';

const TAG = 'Payment applications';

/** The logo of an application (specification/applications.md#branding). */
@Controller('api/payment-applications/:id/logo')
@OAuthOnly('applications')
@PathParameters({ id: APPLICATION_ID })
export class LogosController {
  constructor(private readonly logos: LogosService) {}

  @Get()
  @Operation({
    id: 'getApplicationLogo',
    tag: TAG,
    summary: 'Get the logo',
    description: 'What it is, and the address where it is shown to customers.',
    returns: data(LogoContract, 'The logo.'),
    errors: ['payment_application_not_found', 'not_found'],
  })
  get(@CurrentPrincipal() { userId }: Principal, @Param('id') id: string): Promise<LogoContract> {
    return this.logos.getOwned(userId, id);
  }

  @Put()
  @Operation({
    id: 'putApplicationLogo',
    tag: TAG,
    summary: 'Set the logo',
    description:
      'Shown on the checkout page. A picture that is refused is a 422 that says why. The body may have 96 KiB.',
    returns: data(LogoContract, 'The new logo.'),
    errors: ['payment_application_not_found', 'application_deleted', 'settings_integrity'],
  })
  put(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @DraftBody(PutLogoContract) draft: Draft<PutLogoContract>,
  ): Promise<LogoContract> {
    return this.logos.replace(userId, id, draft);
  }

  @Delete()
  @HttpCode(204)
  @Operation({
    id: 'deleteApplicationLogo',
    tag: TAG,
    summary: 'Remove the logo',
    description: 'Also where there is none.',
    returns: nothing('There is no logo.'),
    errors: ['payment_application_not_found', 'application_deleted', 'settings_integrity'],
  })
  async delete(@CurrentPrincipal() { userId }: Principal, @Param('id') id: string): Promise<void> {
    await this.logos.delete(userId, id);
  }
}
