import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { Keyring, UnsealError } from '../../kernel/keyring.js';
import { currentRequest } from '../../kernel/request-context.js';
import { CursorKeyRepository } from './cursor-key.repository.js';
import {
  CURSOR_KEY_BYTES,
  type CursorKey,
  cursorKeyOf,
  openCursor,
  sealCursor,
} from './sealed-cursor.pure.js';

/** Encryption purpose of the keys; the context is the key's id. */
export const CURSOR_KEY_PURPOSE = 'cursor-key';

/**
 * Cursors as clients see them. Many are positions among the rows of all merchants, and the difference of two would be the
 * others' volume. Merchants keep them for months, so their key is one of the database, which a new key of APP_KEYS only
 * encrypts again (docs/decisions/0874-cursors-tell-nothing.md).
 */
@Injectable()
export class Cursors {
  private readonly logger = new Logger(Cursors.name);
  /** The first encrypts, all decrypt. */
  private keys: readonly CursorKey[] = [];

  constructor(
    private readonly rows: CursorKeyRepository,
    private readonly keyring: Keyring,
    private readonly sql: Sql,
  ) {}

  /** Before the first request. Of several processes that start at once on an empty table, the first one makes the key. */
  async load(): Promise<void> {
    this.keys = await this.read();
    if (this.keys.length > 0) return;
    this.keys = await this.sql.transaction(async () => {
      await this.rows.lock();
      const others = await this.read();
      if (others.length > 0) return others;
      const id = randomUUID();
      const key = randomBytes(CURSOR_KEY_BYTES);
      await this.rows.insert({
        id,
        sealedKey: this.keyring.seal(CURSOR_KEY_PURPOSE, id, key.toString('base64url')),
      });
      return [cursorKeyOf(key)];
    });
  }

  /** @param owner whose position it is; the user of the current request unless given */
  seal(text: string, owner = requester()): string {
    const [key] = this.keys;
    if (!key) throw new Error('the keys of cursors were not loaded');
    return sealCursor(key, owner, text);
  }

  /** The reverse; null for anything that {@link seal} did not make for this owner. */
  open(cursor: string, owner = requester()): string | null {
    for (const key of this.keys) {
      const text = openCursor(key, owner, cursor);
      if (text !== null) return text;
    }
    return null;
  }

  private async read(): Promise<CursorKey[]> {
    const found: CursorKey[] = [];
    for (const { id, sealedKey } of await this.rows.list())
      try {
        found.push(
          cursorKeyOf(Buffer.from(this.keyring.unseal(CURSOR_KEY_PURPOSE, id, sealedKey), 'base64url')),
        );
      } catch (error) {
        if (!(error instanceof UnsealError)) throw error;
        // Its cursors are refused, and their clients read from the beginning; nobody else is concerned.
        this.logger.error({ err: error, id }, 'a key of cursors cannot be read');
      }
    return found;
  }
}

function requester(): string {
  return currentRequest()?.request.user?.userId ?? '';
}
