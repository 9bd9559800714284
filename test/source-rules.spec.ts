import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Rules of CONTRIBUTING.md and docs/architecture.md about the text of sources, and all exceptions from them. */
const root = path.resolve(import.meta.dirname, '..');
const listed = ['src', 'web/dashboard', 'sdk/src'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file}`,
  ),
);
const SOURCES = listed.filter((file) => /(?<!\.spec|\.d)\.ts$/.test(file)).sort();
const PURE = SOURCES.filter((file) => file.endsWith('.pure.ts'));
const text = (file: string): string =>
  readFileSync(path.join(root, file), 'utf8').replaceAll(/^ *(\/\*\*|\*|\/\/).*$/gm, '');
const having = (files: readonly string[], pattern: RegExp): string[] =>
  files.filter((file) => pattern.test(text(file)));

/** Code that merchants copy, as a text. */
const SAMPLES = 'web/dashboard/webhooks/snippets.pure.ts';

it('no folder has so many files that one cannot take them in', () => {
  const counts = new Map<string, number>();
  for (const folder of SOURCES.map((file) => path.dirname(file)))
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 60)).toEqual([]);
});

it('texts of the API and of programs call a recovery phrase what the pages call it (web/glossary/en.json)', () => {
  expect(having(SOURCES, /\b(recovery|seed) words\b|\bseed phrase\b/i)).toEqual([]);
});

it('only config.ts reads the environment', () => {
  expect(having(SOURCES, /\bprocess\.env\b/)).toEqual(['src/config.ts', SAMPLES]);
});

it('no host beside ours can plant a cookie that says who somebody is: few names are without the prefix __Host-', () => {
  expect(having(SOURCES, /'__Secure-/)).toEqual([
    // Two names of the library, which decide nothing (browser-binding.service.ts).
    'src/identity/oauth/oidc-provider.ts',
    // Opens nothing without a signed link.
    'src/platform/web/http/cookies.pure.ts',
  ]);
});

it('one file decrypts, and fixes the lengths of nonce and tag', () => {
  expect(having(SOURCES, /createDecipheriv\(/)).toEqual(['src/platform/kernel/keyring.ts']);
});

it('pure files have no I/O, no timers and no clock; few draw random bytes', () => {
  const IO =
    /\bprocess\.|\bfetch\((?!')|\bset(Timeout|Interval|Immediate)\(|\bperformance\.now|\breadFile|\bnew Date\(\)|\bDate\.now\(/;
  // The clock itself.
  expect(having(PURE, IO)).toEqual(['src/platform/kernel/clock.pure.ts', SAMPLES]);
  expect(having(PURE, /\brandom(Bytes|Int|UUID|FillSync)\(|\bgetRandomValues\(/)).toEqual([
    // What they make is random: codes, ids, tokens, and names that no caller can foresee.
    'src/applications/client-id.pure.ts',
    'src/identity/oauth/people/recovery-codes.pure.ts',
    'src/platform/kernel/exact-json.pure.ts',
    'src/platform/kernel/ids.pure.ts',
    'src/platform/web/rate-limiting/rate-buckets.pure.ts',
    'src/tokens/client-token.pure.ts',
  ]);
});

it('what is asked of a node depends on the clock, which tests move, and not on how fast the machine is', () => {
  const chains = SOURCES.filter((file) => file.startsWith('src/chains/'));
  // Deadlines of requests that are under way, and the pause before a socket is opened again.
  expect(having(chains, /\bperformance\.now\(/)).toEqual([
    'src/chains/evm/new-heads.ts',
    'src/chains/evm/transaction-traces.ts',
  ]);
});

/** What is made once and never differs, the sequence of ids, and what the process is (its tracer, its open requests). */
const STATE = [
  'src/openapi/openapi.service.ts',
  'src/platform/database/entity-table.ts',
  'src/platform/database/sql.ts',
  'src/platform/integrity/waiting-columns.ts',
  'src/platform/kernel/context-variable.ts',
  'src/platform/kernel/i18n/locale.pure.ts',
  'src/platform/kernel/i18n/texts.ts',
  'src/platform/kernel/ids.pure.ts',
  'src/platform/kernel/sheet-format.pure.ts',
  'src/platform/kernel/spans.ts',
  'src/platform/kernel/zone-days.pure.ts',
  'src/platform/web/contract/contract.ts',
  'src/platform/web/contract/field.ts',
  'src/platform/web/contract/read-contract.ts',
  'src/platform/web/html/web-asset.ts',
  'src/webhooks/webhook-signature.pure.ts',
];

it('no other file keeps state at module level', () => {
  const variable =
    /^(export )?let |^(export )?const \w+(: [^=]+)? = (new (Map|Set|WeakMap|WeakSet)(<.*>)?\(\)|\[\]|\{\});/m;
  const files = SOURCES.filter((file) => file.startsWith('src/'));
  expect(having(files, variable)).toEqual(STATE);
});

/** Words, views, pages, and names with their constants; or a suite of another place tests them. */
const WITHOUT_TABLE = [
  'src/applications/application-deleted.pure.ts',
  'src/applications/application-view.pure.ts',
  'src/applications/branding/logo-url.pure.ts',
  'src/applications/branding/logo.pure.ts',
  'src/applications/event-types.pure.ts',
  'src/chains/chain-auditor.pure.ts',
  'src/chains/rpc-error.pure.ts',
  'src/chains/token-contracts.pure.ts',
  'src/chains/tron/tron-network.pure.ts',
  'src/chains/utxo/utxo-network.pure.ts',
  'src/identity/oauth/access-link-pages.pure.ts',
  'src/identity/oauth/dashboard-client.pure.ts',
  'src/identity/oauth/require-person.pure.ts',
  'src/identity/oauth/sign-in-pages.pure.ts',
  'src/platform/kernel/clock.pure.ts',
  'src/platform/kernel/dns/ip-address.pure.ts',
  'src/platform/kernel/hmac.pure.ts',
  'src/wallets/key-owner.pure.ts',
  // Every refusal: src/wallets/account-addresses.pure.spec.ts.
  'src/wallets/key-refusal.pure.ts',
  // Every key of a wallet: src/wallets/utxo-account-key.pure.spec.ts, test/utxo-adapter.e2e-spec.ts.
  'src/wallets/output-descriptor.pure.ts',
  // Every column of the tables: test/wallet-integrity.e2e-spec.ts, test/database-manipulations.e2e-spec.ts.
  'src/wallets/wallet-authentication.pure.ts',
];

it('every other pure file with functions has a table of cases beside it', () => {
  const specs = new Set(listed);
  const bare = having(PURE, /^export (async )?function |^export const \w+ = (async )?\(/m).filter(
    (file) => !specs.has(file.replace(/\.ts$/, '.spec.ts')),
  );
  expect(bare).toEqual(WITHOUT_TABLE);
});

it('calls against the import arrows are hooks, all of which the architecture names with who listens', () => {
  const src = SOURCES.filter((file) => file.startsWith('src/'));
  // A list of functions that others fill.
  const LIST =
    /\breadonly \w+: (\(\(.*=>.*\)|\w*(Listener|Step|Guard|Handler|Callback|Subscriber))\[\] = \[\]/;
  expect(having(src, LIST)).toEqual(['src/platform/kernel/hook.ts']);
  const moduleOf = (file: string) => /^src\/((?:identity|operations)\/[^/]+|[^/]+)\//.exec(file)?.[1] ?? file;
  const hooks = src.flatMap((file) => {
    const [, owner = ''] = /export class (\w+)/.exec(text(file)) ?? [];
    return [...text(file).matchAll(/readonly (\w+) = new Hook</g)].map(([, name = '']) => {
      const listeners = src.filter((other) => text(other).includes(`.${name}.listen(`)).map(moduleOf);
      return `${owner}.${name}: ${listeners.toSorted().join(', ')}`;
    });
  });
  const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');
  const documented = [...page.matchAll(/^\| `(\w+\.\w+)` +\| [^|]+\| (.+?) +\|$/gm)].map(
    ([, hook = '', listeners = '']) => `${hook}: ${listeners.replaceAll('`', '')}`,
  );
  expect(hooks.length).toBeGreaterThan(3);
  expect(documented.toSorted()).toEqual(hooks.toSorted());
});
