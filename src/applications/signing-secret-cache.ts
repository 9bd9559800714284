import type { Keyring } from '../platform/kernel/keyring.js';
import { SECRET_PURPOSE } from './encrypted-columns.js';

/** The most secrets that are cached; each is a few hundred bytes. */
const MAX_OPEN = 10_000;

/**
 * Caches decrypted webhook secrets by their encrypted text. A secret that is changed or encrypted again has another text,
 * so no entry can be out of date. A text that no key decrypts is tried again each time.
 */
export class SigningSecretCache {
  private readonly plain = new Map<string, string>();

  constructor(
    private readonly keyring: Pick<Keyring, 'unseal'>,
    private readonly maxOpen = MAX_OPEN,
  ) {}

  /** @throws UnsealError */
  open(applicationId: string, sealed: string): string {
    const key = `${applicationId} ${sealed}`;
    const known = this.plain.get(key);
    if (known !== undefined) return known;
    const secret = this.keyring.unseal(SECRET_PURPOSE, applicationId, sealed);
    // Oldest first: a map keeps the order of insertion.
    for (const oldest of this.plain.keys()) {
      if (this.plain.size < this.maxOpen) break;
      this.plain.delete(oldest);
    }
    this.plain.set(key, secret);
    return secret;
  }
}
