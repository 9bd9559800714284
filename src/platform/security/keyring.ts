import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** No key of the ring decrypts the value: wrong key, or altered bytes. */
export class UnsealError extends Error {}

/**
 * Encrypts what must be read back (webhook secrets, extended public keys) with AES-256-GCM. Each purpose has a subkey
 * of its own; `context` (e.g. the row's id) is authenticated, so that an encrypted value cannot be moved to another
 * row. Text form: `v1.<key id>.<nonce>.<ciphertext>.<tag>`, base64url.
 */
export class Keyring {
  private readonly subkeys = new Map<string, Buffer>();

  /** @param keys newest first: the first encrypts, all decrypt */
  constructor(private readonly keys: readonly { id: string; key: Buffer }[]) {}

  /** Id of the key that encrypts. */
  get newestId(): string {
    return this.newest.id;
  }

  seal(purpose: string, context: string, plaintext: string): string {
    const current = this.newest;
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.subkey(current, purpose), nonce);
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
    if (version !== 'v1' || !key || !nonce || !ciphertext || !tag)
      throw new UnsealError(`cannot unseal a ${purpose}`);
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.subkey(key, purpose), nonce);
      decipher.setAAD(Buffer.from(`${purpose}|${context}`));
      decipher.setAuthTag(tag);
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
    } catch {
      throw new UnsealError(`cannot unseal a ${purpose}`);
    }
  }

  /** Key material for another use (cookie signing), derived from the newest key first. */
  deriveKeys(purpose: string): Buffer[] {
    return this.keys.map((key) => this.subkey(key, purpose));
  }

  private get newest(): { id: string; key: Buffer } {
    const [newest] = this.keys;
    if (!newest) throw new Error('the keyring is empty');
    return newest;
  }

  private subkey(key: { id: string; key: Buffer }, purpose: string): Buffer {
    const name = `${key.id}|${purpose}`;
    let subkey = this.subkeys.get(name);
    if (!subkey) {
      subkey = Buffer.from(hkdfSync('sha256', key.key, '', `crypto-payment-gateway|${purpose}`, 32));
      this.subkeys.set(name, subkey);
    }
    return subkey;
  }
}
