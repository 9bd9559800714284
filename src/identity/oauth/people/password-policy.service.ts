import { Inject, Injectable } from '@nestjs/common';
import { dictionary } from '@zxcvbn-ts/language-common';
import { CONFIG, type Config } from '../../../config.js';
import { ValidationError } from '../../../platform/kernel/errors/errors.pure.js';
import { contextWords, foldPassword, PASSWORD_MIN, passwordProblem } from './password-rules.pure.js';

/** The passwords that most people choose, as far as they are long enough; about 18,000. */
const COMMON: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_MIN).map(foldPassword),
);

/** The rules for new passwords (specification/authentication.md#passwords). Stored ones are not checked again. */
@Injectable()
export class PasswordPolicy {
  private readonly host: string;

  constructor(@Inject(CONFIG) { baseUrl }: Config) {
    this.host = new URL(baseUrl).hostname;
  }

  /** @throws ValidationError on `field` */
  check(password: string, user: { email: string; name: string | null }, field = 'password'): void {
    const problem = passwordProblem(password, COMMON, contextWords(this.host, user));
    if (problem !== null) throw ValidationError.of(field, `The ${field} field ${problem}`);
  }
}
