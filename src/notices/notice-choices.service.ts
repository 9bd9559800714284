import { Injectable } from '@nestjs/common';
import { AccountService } from '../identity/oauth/people/account.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { ConflictError, ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { UUID } from '../platform/kernel/ids.pure.js';
import { isOfOperators } from './notice-kinds.pure.js';
import { NoticeChoiceRepository } from './notice-choice.repository.js';
import type { NoticesContract, SaveNoticesContract } from './notices.contract.js';
import { Notices } from './notices.service.js';

/** What signed-in people choose to be told. */
@Injectable()
export class NoticeChoices {
  constructor(
    private readonly choices: NoticeChoiceRepository,
    private readonly accounts: AccountService,
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFoundError for users of the operator's own identity provider, whose address is not stored here */
  async get(userId: string): Promise<NoticesContract> {
    const { id } = await this.accounts.get(userId);
    const choice = await this.choices.find(id);
    return {
      available: this.notices.hasMail,
      kinds: choice?.kinds ?? [],
      paymentApplicationIds: choice?.applicationIds ?? null,
      language: choice?.language ?? 'en',
    };
  }

  /** @throws NotFoundError, ValidationError */
  async save(userId: string, wanted: SaveNoticesContract): Promise<NoticesContract> {
    const { id, isOperator } = await this.accounts.get(userId);
    const { kinds, paymentApplicationIds: applicationIds = null, language } = wanted;
    if (!isOperator && kinds.some(isOfOperators))
      throw ValidationError.of('kinds', 'The kinds chain and backup are for operators of the gateway.');
    if (applicationIds?.some((one) => !UUID.test(one)))
      throw ValidationError.of(
        'paymentApplicationIds',
        'The paymentApplicationIds field must contain UUIDs.',
      );
    await this.choices.save({ userId: id, kinds, applicationIds, language, updatedAt: this.clock.now() });
    return this.get(id);
  }

  /** At most one a minute. @throws NotFoundError, ConflictError where the gateway sends no mail */
  async test(userId: string): Promise<void> {
    const { id } = await this.accounts.get(userId);
    if (!this.notices.hasMail)
      throw new ConflictError(
        'invalid_state_transition',
        'This gateway sends no mail: its operator has set no SMTP_URL',
      );
    const minute = this.clock.now().toISOString().slice(0, 16);
    await this.notices.tellUser(id, null, { notice: 'test', values: {} }, minute);
  }
}
