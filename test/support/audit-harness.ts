import { runCli } from '../../src/cli.js';
import { AccountApi } from './account-api.js';
import { createOwnerWithClient, type OwnerWithClient } from './principals.js';
import { Shop, type ShopApplication } from './shop.js';
import { TwoFactorApi } from './two-factor.js';

export const OLD_KEY = `old:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`;
export const NEW_KEY = `new:${Buffer.from('vutsrqponmlkjihgfedcba9876543210').toString('base64')}`;

/** Everybody whose acts are written down. */
export interface AuditHarness {
  shop: Shop;
  application: ShopApplication;
  account: AccountApi;
  factor: TwoFactorApi;
  machine: OwnerWithClient;
}

export async function openAuditHarness(): Promise<AuditHarness> {
  // Both keys, as a rotation requires: rows that are authenticated with the newest one must stay readable.
  const shop = await Shop.open({
    APP_KEYS: `${OLD_KEY},${NEW_KEY}`,
    RATE_LIMIT_ACCOUNT: '1',
    WALLET_CHANGE_DELAY: '10',
  });
  return {
    shop,
    application: await shop.application(),
    account: await AccountApi.open(shop.gateway),
    factor: new TwoFactorApi(await AccountApi.open(shop.gateway)),
    machine: await createOwnerWithClient(shop.gateway),
  };
}

/** Runs a command on the database of the harness. */
// The key that comes second opens what `secrets.resealed` seals.
export async function runCommand(
  shop: Pick<Shop, 'gateway'>,
  args: string[],
  appKeys = `${OLD_KEY},${NEW_KEY}`,
) {
  const [output, errors]: [string[], string[]] = [[], []];
  // The owner of the schema, which reseal-secrets needs.
  const env = {
    ...shop.gateway.environment,
    DATABASE_MIGRATION_URL: shop.gateway.databaseUrl,
    APP_KEYS: appKeys,
  };
  const code = await runCli(args, env, {
    input: (async function* () {})(),
    write: (text) => output.push(text),
    writeError: (text) => errors.push(text),
  });
  return { code, output: output.join(''), errors: errors.join('') };
}

export interface AuditedRoute<Ready> {
  /** What must be there first. */
  before?: () => Promise<Ready>;
  /** The way in that a person, a program or the gateway itself takes; throws when the act did not happen. */
  act: (ready: Ready) => Promise<unknown>;
  /** Tables that the act changes, all of them in the transaction of its row. */
  tables: string[];
  actor: (ready: Ready) => string;
  details?: Record<string, unknown>;
}
