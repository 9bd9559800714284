import type { Keyring } from '../platform/security/keyring.js';
import { SECRET_PURPOSE } from './encrypted-columns.js';

/** Secrets that stay open at most; each is a few hundred bytes. */
const MAX_OPEN = 10_000;

/**
 * Webhook secrets that were opened once, by their sealed text: a changed or sealed again secret has another text,
 * so that nothing here can be out of date. A text that no key opens is tried again each time.
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
    // The oldest goes first: a map keeps the order of its entries.
    for (const oldest of this.plain.keys()) {
      if (this.plain.size < this.maxOpen) break;
      this.plain.delete(oldest);
    }
    this.plain.set(key, secret);
    return secret;
  }
}
