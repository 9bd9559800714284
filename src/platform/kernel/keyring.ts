import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { encodeFields } from './encode-fields.pure.js';
import { constantTimeEquals, hmacSha256 } from './hmac.pure.js';

/** No key of the ring decrypts the value: wrong key, or altered bytes. */
export class UnsealError extends Error {}

const CIPHER = 'aes-256-gcm';
/** Fixed: the length of a stored tag is never believed, since one of four bytes is forged in hours (SP 800-38D, appendix C). */
const TAG_BYTES = 16;
const NONCE_BYTES = 12;

/**
 * Encrypts what must be read back (webhook secrets, extended public keys) with AES-256-GCM. Each purpose has a subkey
 * of its own; `context` (e.g. the row's id) is authenticated, so that an encrypted value cannot be moved to another
 * row. Text form: `v1.<key id>.<nonce>.<ciphertext>.<tag>`, base64url.
 */
export class Keyring {
  private readonly subkeys = new Map<string, KeyObject>();

  /** @param keys newest first: the first encrypts, all decrypt */
  constructor(private readonly keys: readonly { id: string; key: Buffer }[]) {}

  /** Id of the key that encrypts. */
  get newestId(): string {
    return this.newest.id;
  }

  has(id: string): boolean {
    return this.keys.some((key) => key.id === id);
  }

  seal(purpose: string, context: string, plaintext: string): string {
    const current = this.newest;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.subkey(current, purpose), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(`${purpose}|${context}`));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return [
      'v1',
      current.id,
      ...[nonce, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url')),
    ].join('.');
  }

  /** @throws UnsealError */
  unseal(purpose: string, context: string, sealed: string): string {
    const [version, id, ...encoded] = sealed.split('.');
    const [nonce, ciphertext, tag] = encoded.map((part) => Buffer.from(part, 'base64url'));
    const key = this.keys.find((candidate) => candidate.id === id);
    const isWhole = nonce?.length === NONCE_BYTES && tag?.length === TAG_BYTES && encoded.length === 3;
    if (version !== 'v1' || id === undefined || !ciphertext || !isWhole)
      throw new UnsealError(`cannot unseal a ${purpose}`);
    if (!key) throw new UnsealError(`APP_KEYS: lacks "${id}", which a ${purpose} was encrypted with`);
    try {
      const decipher = createDecipheriv(CIPHER, this.subkey(key, purpose), nonce, {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(`${purpose}|${context}`));
      decipher.setAuthTag(tag);
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
    } catch {
      throw new UnsealError(`cannot unseal a ${purpose}`);
    }
  }

  /**
   * Authenticates the fields of a row under the newest key: a writer of the database without APP_KEYS cannot make one.
   * Text form: `m1.<key id>.<HMAC-SHA256, base64url>`.
   */
  mac(purpose: string, fields: readonly (string | null)[]): string {
    return this.macWith(this.newest, purpose, fields);
  }

  /** Whether a key of the ring made this MAC of exactly these fields. */
  isMacOf(purpose: string, fields: readonly (string | null)[], mac: string | null): boolean {
    const [, id] = mac?.split('.') ?? [];
    const key = this.keys.find((candidate) => candidate.id === id);
    if (!key || mac === null) return false;
    return constantTimeEquals(Buffer.from(this.macWith(key, purpose, fields)), Buffer.from(mac));
  }

  /**
   * What a secret that is only compared (a token, a recovery code) is stored as: HMAC-SHA256, by each key of the ring.
   * New secrets are stored as the first; a look-up accepts all, so that removing a key from the ring ends its secrets.
   */
  digests(purpose: string, secret: string): Buffer[] {
    return this.keys.map((key) => hmacSha256(this.subkey(key, purpose), secret));
  }

  /** {@link digests} by one key, which its id names; null if the key is not in the ring. */
  digestBy(keyId: string, purpose: string, secret: string): Buffer | null {
    const key = this.keys.find(({ id }) => id === keyId);
    return key ? hmacSha256(this.subkey(key, purpose), secret) : null;
  }

  /** Key material for another use (cookie signing), derived from the newest key first. */
  deriveKeys(purpose: string): Buffer[] {
    return this.keys.map((key) => this.subkey(key, purpose).export());
  }

  private macWith(key: { id: string; key: Buffer }, purpose: string, fields: readonly (string | null)[]) {
    const mac = hmacSha256(this.subkey(key, purpose), encodeFields([purpose, ...fields]));
    return `m1.${key.id}.${mac.toString('base64url')}`;
  }

  private get newest(): { id: string; key: Buffer } {
    const [newest] = this.keys;
    if (!newest) throw new Error('the keyring is empty');
    return newest;
  }

  private subkey(key: { id: string; key: Buffer }, purpose: string): KeyObject {
    const name = `${key.id}|${purpose}`;
    let subkey = this.subkeys.get(name);
    if (!subkey) {
      const bytes = hkdfSync('sha256', key.key, '', `crypto-payment-gateway|${purpose}`, 32);
      subkey = createSecretKey(Buffer.from(bytes));
      this.subkeys.set(name, subkey);
    }
    return subkey;
  }
}
