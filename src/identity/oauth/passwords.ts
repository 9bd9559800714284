import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { ConcurrencyLimiter } from './concurrency-limiter.pure.js';

/** OWASP's first choice for Argon2id: 19 MiB (in KiB), two passes, one lane. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One hash takes tens of milliseconds of a core: an unbounded queue would allow denial of service. */
const MAX_RUNNING = 2;
const MAX_WAITING = 64;

/** Hash of a discarded random password, with the parameters above. */
const DECOY =
  '$argon2id$v=19$m=19456,t=2,p=1$ZUBWvOjggLBnroVY/mBY+g$NA1LL4AaUcochvi05SDmQoX/mXw7fuAAFmEfkzxJtno';

/** Compatibility forms of one character ("ﬁ" and "fi") are typed differently by different keyboards. */
const normalize = (password: string) => password.normalize('NFKC');

/** Hashes and checks passwords with Argon2id, a few at a time. */
@Injectable()
export class Passwords {
  private readonly limit = new ConcurrencyLimiter(MAX_RUNNING, MAX_WAITING);

  /** Argon2id in PHC string format. */
  hash(password: string): Promise<string> {
    return this.limit.run(() => hash(normalize(password), ARGON2ID));
  }

  /**
   * @param stored null when there is no such user: a decoy is then checked in its place, so that the response time does
   * not reveal which addresses exist
   */
  async matches(stored: string | null, password: string): Promise<boolean> {
    const isMatch = await this.limit.run(() => verify(stored ?? DECOY, normalize(password)));
    return isMatch && stored !== null;
  }
}
