import { SigningSecretsService } from '../../applications/signing-secrets.service.js';
import { HOW_TO_MAKE_A_SECRET } from '../../applications/webhook-secret.pure.js';
import type { Clock } from '../../platform/kernel/clock.pure.js';
import { Keyring } from '../../platform/kernel/keyring.js';
import type { Sql } from '../../platform/database/sql.js';
import type { Config } from '../../config.js';
import { type Finding, Subject } from './finding.js';

/** The most applications that are named; of the others only the number. */
const MAX_NAMED = 20;

/** Secrets stored before they were validated on saving; they still sign, but few verifiers accept them. */
export async function checkWebhookSecrets({ appKeys }: Config, sql: Sql, clock: Clock): Promise<Finding[]> {
  const secrets = SigningSecretsService.of(sql, clock, new Keyring(appKeys));
  return assessWebhookSecrets(await secrets.listMalformed());
}

/** @param malformed ids of applications */
export function assessWebhookSecrets(malformed: readonly string[]): Finding[] {
  const about = new Subject('webhook secrets');
  if (malformed.length === 0) return [about.ok('published verifiers accept all of them')];
  const found =
    'begins with whsec_, but no padded standard base64 follows: published verifiers refuse its webhooks';
  const fix = `ask the shop to save a new one: ${HOW_TO_MAKE_A_SECRET}`;
  const findings = malformed
    .slice(0, MAX_NAMED)
    .map((id) => about.warning(`the secret of application ${id} ${found}`, fix));
  const more = malformed.length - MAX_NAMED;
  return more > 0
    ? [...findings, about.warning(`the same holds for ${more} more applications`, fix)]
    : findings;
}
