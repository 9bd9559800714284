import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { MembersService } from '../identity/oauth/people/members.service.js';
import { UsersService } from '../identity/oauth/people/users.service.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { afterCommit } from '../platform/database/unit-of-work.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { newId } from '../platform/kernel/ids.pure.js';
import { Keyring } from '../platform/kernel/keyring.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { type Addressee, sealContent } from './notice-content.js';
import { NoticeChoiceRepository } from './notice-choice.repository.js';
import type { ChosenKind } from './notice-kinds.pure.js';
import { NoticeRepository } from './notice.repository.js';
import type { Said } from './notice-text.pure.js';

/** About an account, and one of its applications; null: about all of it. */
interface About {
  accountId: string;
  applicationId: string | null;
}

/**
 * Writes down what people are to be told, once for each of them. In the transaction of what happened, where there is one;
 * NoticeQueue sends it after the commit.
 */
@Injectable()
export class Notices {
  constructor(
    private readonly rows: NoticeRepository,
    private readonly choices: NoticeChoiceRepository,
    private readonly members: MembersService,
    private readonly users: UsersService,
    private readonly keyring: Keyring,
    private readonly clock: Clock,
    private readonly loops: PollingLoops,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  get hasMail(): boolean {
    return this.config.notices.mail !== null;
  }

  /** Whether anything is told at all. */
  get isOn(): boolean {
    return this.hasMail || this.config.notices.channel !== null;
  }

  /**
   * Those of the account who chose the kind, and the channel.
   * @param occasion what happened: the same one is not told again
   */
  async tellAccount(
    kind: ChosenKind,
    { accountId, applicationId }: About,
    said: Said,
    occasion: string,
  ): Promise<void> {
    const people = await this.peopleOf(accountId);
    const chosen = await this.choices.listOf(people, kind);
    const told = chosen.filter(
      ({ applicationIds }) =>
        applicationId === null || applicationIds === null || applicationIds.includes(applicationId),
    );
    await this.write(said, occasion, [
      ...told.map(({ userId, language }) => ({ to: 'user', userId, accountId, language }) as const),
      { to: 'channel' },
    ]);
  }

  /** The operators who chose the kind, and the channel. */
  async tellOperators(kind: ChosenKind, said: Said, occasion: string): Promise<void> {
    const operators = (await this.users.list()).filter(({ isOperator }) => isOperator);
    const chosen = await this.choices.listOf(
      operators.map(({ id }) => id),
      kind,
    );
    await this.write(said, occasion, [
      ...chosen.map(({ userId, language }) => ({ to: 'operator', userId, language }) as const),
      { to: 'channel' },
    ]);
  }

  /** The owner of an account, who need not have asked for it, and the channel: it is a matter of security. */
  async tellOwner(accountId: string, said: Said, occasion: string): Promise<void> {
    const owner = (await this.peopleOf(accountId)).slice(0, 1);
    const language = await this.languageOf(accountId);
    await this.write(said, occasion, [
      ...owner.map((userId) => ({ to: 'user', userId, accountId, language }) as const),
      { to: 'channel' },
    ]);
  }

  /** One person, by mail alone. @param accountId where they must still be a member; null: it is about themselves */
  async tellUser(userId: string, accountId: string | null, said: Said, occasion: string): Promise<void> {
    const language = await this.languageOf(userId);
    await this.write(said, occasion, [{ to: 'user', userId, accountId, language }]);
  }

  /** An address, by mail alone. */
  async tellAddress(
    addressee: Extract<Addressee, { email: string }>,
    said: Said,
    occasion: string,
  ): Promise<void> {
    await this.write(said, occasion, [addressee]);
  }

  /** Whether a person was told of an occasion. */
  isTold(userId: string, said: Said['notice'], occasion: string): Promise<boolean> {
    return this.rows.isTold(`${said}:${occasion}:${userId}`);
  }

  /** Of a user who is erased. */
  async forget(userId: string): Promise<void> {
    await this.choices.delete(userId);
    await this.rows.deleteOf(userId);
  }

  async languageOf(userId: string) {
    return (await this.choices.find(userId))?.language ?? 'en';
  }

  /** The owner first. None: the account is of the operator's identity provider, or disabled. */
  private async peopleOf(accountId: string): Promise<string[]> {
    if (!(await this.users.findActive(accountId))) return [];
    return (await this.members.list(accountId)).map(({ userId }) => userId);
  }

  private async write(said: Said, occasion: string, addressees: readonly Addressee[]): Promise<void> {
    const now = this.clock.now();
    const { channel } = this.config.notices;
    const reached = addressees.filter(({ to }) => (to === 'channel' ? channel !== null : this.hasMail));
    const notices = reached.map((addressee) => {
      const id = newId(now);
      return {
        id,
        userId: 'userId' in addressee ? addressee.userId : null,
        name: said.notice,
        dedupeKey: `${said.notice}:${occasion}:${this.keyOf(addressee)}`,
        sealedContent: sealContent(this.keyring, id, { addressee, said }),
        createdAt: now,
        nextAttemptAt: now,
      };
    });
    await this.rows.insert(notices);
    if (notices.length > 0) afterCommit(() => this.loops.wake(LoopName.Notices));
  }

  /** An address is hashed: strangers type them. */
  private keyOf(addressee: Addressee): string {
    if ('userId' in addressee) return addressee.userId;
    if (addressee.to === 'channel') return 'channel';
    return this.keyring.digests('notice-address', addressee.email)[0]?.toString('base64url') ?? '';
  }
}
