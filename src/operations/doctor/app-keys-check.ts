import { type Config, ConfigError } from '../../config.js';
import { listSealedKeys } from '../../platform/schema/sealed-keys.repository.js';
import type { Queryable } from '../../platform/database/sql.js';
import { Keyring } from '../../platform/kernel/keyring.js';
import { openSigningKey } from '../../platform/kernel/signing-key-seal.js';
import { DoctorRepository } from './doctor.repository.js';
import { type Finding, Subject } from './finding.js';

/** With wrong APP_KEYS the gateway does not start, and `migrate` does nothing. */
export async function checkAppKeys({ appKeys }: Config, sql: Queryable): Promise<Finding[]> {
  const about = new Subject('APP_KEYS');
  const keys = await listSealedKeys(sql);
  if (keys.length === 0) return [about.ok('the gateway was not started yet: there is nothing to open')];
  try {
    const keyring = new Keyring(appKeys);
    for (const key of keys) openSigningKey(keyring, key);
    return [
      about.ok('open what is encrypted in this database'),
      ...lockedOut(about, await new DoctorRepository(sql).lockedOut(appKeys.map(({ id }) => id))),
    ];
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

/** Their sign-in says that the password is wrong, whatever they enter. */
function lockedOut(about: Subject, { count, operators }: { count: number; operators: number }): Finding[] {
  if (count === 0) return [];
  const who = count === 1 ? 'the password of one user' : `the passwords of ${count} users`;
  const found = `${who} (operators: ${operators}) need a key that is not in APP_KEYS any more`;
  return [
    about.warning(found, 'append that key to APP_KEYS again, or give them links by reset-password-link'),
  ];
}
