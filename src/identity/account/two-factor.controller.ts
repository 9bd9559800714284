import { Body, Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, type Principal } from '../../platform/security/auth.js';
import { TwoFactorService } from '../oauth/two-factor.service.js';
import {
  ChangeTwoFactorDto,
  ConfirmTwoFactorDto,
  EnrolTwoFactorDto,
  toEnrolmentDto,
  toTwoFactorDto,
} from './two-factor.dto.js';

/**
 * The second factor of the signed-in user (specification/authentication.md#accounts). None of these takes an
 * Idempotency-Key: their answers are shown once, and a record of them would be a second time.
 */
@Controller('api/account/two-factor')
@OAuthOnly()
export class TwoFactorController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  async get(@CurrentPrincipal() { userId }: Principal) {
    return toTwoFactorDto(await this.twoFactor.get(userId));
  }

  @Post()
  @Header('Cache-Control', 'no-store')
  async enrol(@CurrentPrincipal() { userId }: Principal, @Body() body: EnrolTwoFactorDto) {
    return toEnrolmentDto(await this.twoFactor.enrol(userId, body.currentPassword));
  }

  @Post('confirm')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async confirm(@CurrentPrincipal() { userId }: Principal, @Body() body: ConfirmTwoFactorDto) {
    return { recoveryCodes: await this.twoFactor.confirm(userId, body.code) };
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async regenerate(@CurrentPrincipal() { userId }: Principal, @Body() body: ChangeTwoFactorDto) {
    const { currentPassword, code } = body;
    return { recoveryCodes: await this.twoFactor.regenerate(userId, currentPassword, code) };
  }

  @Post('disable')
  @HttpCode(204)
  @Header('Cache-Control', 'no-store')
  async disable(@CurrentPrincipal() { userId }: Principal, @Body() body: ChangeTwoFactorDto): Promise<void> {
    await this.twoFactor.disable(userId, body.currentPassword, body.code);
  }
}
