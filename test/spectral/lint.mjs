// Runs every rule of Spectral's OpenAPI ruleset over a document; errors, warnings and hints fail alike. Started by
// test/harness/spectral.mjs, in a copy of this folder with its packages.
//   node lint.mjs <openapi.json>
import { readFileSync } from 'node:fs';
import core from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

/** Rules that are switched off, each with the reason; both are printed. */
const OFF = {
  'oas3-operation-security-defined':
    'knows OpenAPI 3.0, where only OAuth2 schemes name scopes; in 3.1 other schemes may name roles, as ours does with ' +
    'the scopes of client tokens. That every scheme is defined is checked by Redocly (security-defined)',
  'openapi-tags-alphabetical': 'tags stand in the order in which an integrator needs them',
  'contact-properties': 'the operator has an address (BASE_URL), and no email address that the gateway knows',
};
const SEVERITIES = ['error', 'warning', 'information', 'hint'];

const say = (text) => process.stdout.write(`${text}\n`);

const off = Object.fromEntries(Object.keys(OFF).map((rule) => [rule, 'off']));
const spectral = new core.Spectral();
spectral.setRuleset({ extends: [[rulesets.oas, 'all']], rules: off });

const results = await spectral.run(JSON.parse(readFileSync(process.argv[2], 'utf8')));
for (const { severity, code, message, path } of results)
  say(`${SEVERITIES[severity]} ${code}: ${message} (${path.join(' > ')})`);
for (const [rule, reason] of Object.entries(OFF)) say(`off: ${rule}: ${reason}`);
say(`${results.length} problems`);
process.exitCode = results.length > 0 ? 1 : 0;
