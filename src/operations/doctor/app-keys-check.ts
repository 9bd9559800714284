import { type Config, ConfigError } from '../../config.js';
import { listSealedKeys } from '../../platform/schema/sealed-keys.repository.js';
import type { Queryable } from '../../platform/database/sql.js';
import { Keyring } from '../../platform/kernel/keyring.js';
import { openSigningKey } from '../../platform/kernel/signing-key-seal.js';
import { type Finding, Subject } from './finding.js';

/** With wrong APP_KEYS the gateway does not start, and `migrate` does nothing. */
export async function checkAppKeys({ appKeys }: Config, sql: Queryable): Promise<Finding[]> {
  const about = new Subject('APP_KEYS');
  const keys = await listSealedKeys(sql);
  if (keys.length === 0) return [about.ok('the gateway was not started yet: there is nothing to open')];
  try {
    const keyring = new Keyring(appKeys);
    for (const key of keys) openSigningKey(keyring, key);
    return [about.ok('open what is encrypted in this database')];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) =>
      about.failure(
        problem,
        'set APP_KEYS to the keys that this database was made with (your backup of .env)',
      ),
    );
  }
}
