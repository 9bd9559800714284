import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { DemoError } from './demo-error.js';
import { readState, writeState } from './state-file.js';

/** The keys of a development gateway, as environment variables. */
export interface DemoSecrets {
  APP_KEYS: string;
  CHECKOUT_SIGNING_KEY: string;
}

/**
 * Random keys, generated at the first start and stored in `<dataDir>/secrets.json`. A damaged file is an error: with new
 * keys, data that the old ones encrypted would be unreadable.
 */
export async function provideSecrets(dataDir: string): Promise<DemoSecrets> {
  const file = path.join(dataDir, 'secrets.json');
  const known = await readState(file);
  if (known) {
    const { APP_KEYS, CHECKOUT_SIGNING_KEY } = known;
    if (typeof APP_KEYS === 'string' && typeof CHECKOUT_SIGNING_KEY === 'string')
      return { APP_KEYS, CHECKOUT_SIGNING_KEY };
    throw new DemoError(`${file} is damaged: it lacks a key`);
  }
  const secrets = {
    APP_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    CHECKOUT_SIGNING_KEY: randomBytes(32).toString('base64url'),
  };
  await writeState(file, secrets, 0o600);
  return secrets;
}
