import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { Keyring } from '../../../platform/kernel/keyring.js';
import { currentTenant } from '../../../platform/kernel/request-context.js';
import { ConcurrencyLimiter } from '../concurrency-limiter.pure.js';

/** OWASP's first choice for Argon2id: 19 MiB (in KiB), two passes, one lane. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * One hash takes tens of milliseconds of a core: an unbounded queue would allow denial of service. One core stays for all
 * that is no password.
 */
const MAX_RUNNING = Math.min(2, Math.max(1, availableParallelism() - 1));
const MAX_WAITING = 64;

/** Hash of a discarded random password, with the parameters above. */
const DECOY =
  '$argon2id$v=19$m=19456,t=2,p=1$ZUBWvOjggLBnroVY/mBY+g$NA1LL4AaUcochvi05SDmQoX/mXw7fuAAFmEfkzxJtno';

/** Purpose of the subkey that passwords are peppered with. */
const PEPPER = 'password-pepper';

/** A password as it is stored. */
export interface StoredPassword {
  /** Argon2id in PHC string format. */
  passwordHash: string;
  /** Id of the key that peppered it. */
  passwordKey: string;
}

/** Compatibility forms of one character ("ﬁ" and "fi") are typed differently by different keyboards. */
const normalize = (password: string) => password.normalize('NFKC');

/**
 * Hashes and checks passwords with Argon2id, a few at a time. What is hashed is an HMAC of the password under a subkey
 * of APP_KEYS (a pepper): without the key, the hashes of a stolen database cannot be searched, and none can be made.
 */
@Injectable()
export class Passwords {
  private readonly limit = new ConcurrencyLimiter(MAX_RUNNING, MAX_WAITING);

  constructor(private readonly keyring: Keyring) {}

  async hash(password: string): Promise<StoredPassword> {
    const passwordKey = this.keyring.newestId;
    const peppered = this.pepper(passwordKey, password);
    if (peppered === null) throw new Error('the newest key is not in the keyring');
    return {
      passwordHash: await this.limit.run(currentTenant(), () => hash(peppered, ARGON2ID)),
      passwordKey,
    };
  }

  /**
   * @param stored null when there is no such user: a decoy is then checked in its place, so that the response time does
   * not reveal which addresses exist
   */
  async matches(stored: StoredPassword | null, password: string): Promise<boolean> {
    const peppered = stored && this.pepper(stored.passwordKey, password);
    const isUsable = stored !== null && peppered !== null;
    const isMatch = await this.limit.run(currentTenant(), () =>
      verify(isUsable ? stored.passwordHash : DECOY, peppered ?? normalize(password)),
    );
    return isMatch && isUsable;
  }

  /** Id of the key that peppers new passwords. */
  get newestKey(): string {
    return this.keyring.newestId;
  }

  /** Whether the password is to be hashed again, because the key that peppered it is not the newest. */
  isOutdated({ passwordKey }: StoredPassword): boolean {
    return passwordKey !== this.keyring.newestId;
  }

  /** Null when the key was removed from APP_KEYS: the password can then not be checked any more. */
  private pepper(keyId: string, password: string): string | null {
    // As text, because the library takes no other bytes.
    return this.keyring.digestBy(keyId, PEPPER, normalize(password))?.toString('base64url') ?? null;
  }
}
