// Who may import whom. A broken rule fails `npm run boundaries`, and with it `npm run check`;
// test/nightly/boundaries.spec.ts feeds every kind of rule a bad file.
//
// Type-only imports count (tsPreCompilationDeps): a module that knows the shape of another module's table
// depends on that table, whether or not the import survives compilation.

/** Every module of src/ and the modules that it may import. `platform`, `money` and the configuration are open to all but themselves. */
const MODULES = {
  platform: [],
  money: [],
  rates: [],
  chains: [],
  // chains: which confirmations may be configured.
  applications: ['chains'],
  // identity/oauth: whether an account is an operator's, which the operator's keys serve.
  wallets: ['applications', 'chains', 'identity/oauth'],
  // The chain catalog only; see `payments-without-nodes`.
  // wallets: whether a key of the operator serves the account of a new payment.
  payments: ['applications', 'rates', 'chains', 'wallets'],
  // wallets: a payout must not go to an address that we watch, and a pasted key is recognized by its form.
  // applications: the claim page shows the shop's name.
  refunds: ['payments', 'chains', 'wallets', 'applications'],
  // refunds: a receipt says what was sent back.
  checkout: ['payments', 'applications', 'wallets', 'chains', 'refunds'],
  // checkout: the derivation of an address, as instructions show it.
  collections: ['applications', 'chains', 'checkout', 'rates', 'wallets'],
  // collections: the contract of an amount by coin. payments: the status of a payment.
  payouts: ['applications', 'chains', 'collections', 'payments', 'refunds', 'wallets'],
  // Read-only: currencies, chains and rates as the API lists them.
  catalog: ['rates', 'chains'],
  'chain-watcher': ['payments', 'wallets', 'chains'],
  // refunds: the contract of `payment.refund`, for the feed and for sample events.
  // wallets: changes of them are events.
  webhooks: ['payments', 'applications', 'refunds', 'wallets'],
  // What people are told, of all that these modules know; only the operator's view of its queue imports it.
  notices: ['applications', 'chains', 'identity/oauth', 'overview', 'refunds', 'wallets', 'webhooks'],
  // What a dashboard shows over several modules; writes nothing.
  // refunds: the file of a month has what was sent back, and attention what a refund of an excess would pay out.
  overview: ['payments', 'chains', 'refunds', 'wallets'],
  'identity/oauth': [],
  tokens: ['applications', 'identity/oauth'],
  // Endpoints for the settings of the signed-in user, whose data is oauth's.
  'identity/account': ['identity/oauth'],
  // What an operator does with the accounts of others, by the services that their users use.
  'operations/accounts': ['applications', 'identity/oauth'],
  'operations/health': [],
  // Reads the tables of the watcher and the outbox; writes nothing.
  'operations/metrics': ['chains'],
  // Compares payments with the chains; writes nothing but its own report.
  'operations/reconciliation': ['payments', 'applications', 'wallets', 'chains', 'webhooks'],
  // What an operator has to see of the whole: it reads all that these modules know of themselves.
  'operations/condition': ['chains', 'rates', 'notices', 'operations/doctor', 'operations/metrics'],
  // The check of everything around the gateway, by the command line and by the dashboard.
  'operations/doctor': ['applications', 'chains', 'rates', 'wallets'],
  // The vocabulary of payments, refunds and events, so that the document lists what the code knows.
  openapi: ['applications', 'webhooks', 'identity/oauth'],
  // Its session is a sign-in of the authorization server; the rest of it is a client of the API, in web/dashboard/.
  dashboard: ['identity/oauth'],
  // Development profile only: it sets up and drives the whole program.
  demo: [
    'chains',
    'applications',
    'payments',
    'identity/oauth',
    'tokens',
    // The page at `/` offers the demo's checkout.
    'openapi',
  ],
};

/** The floors of `platform`: each imports only what is below it. Its module puts them together. */
const FLOORS = {
  kernel: [],
  database: ['kernel'],
  integrity: ['kernel', 'database'],
  schema: ['kernel', 'database'],
  web: ['kernel', 'database'],
};

/** platform runs the migrations; health and doctor compare them with the database. */
const MIGRATING = ['platform', 'operations/doctor', 'operations/health'];
const MIGRATIONS = '^migrations/(index|grants)\\.ts$';

/** The folder of a file's module: one level deep, or two in identity/ and operations/. */
const NESTED = 'identity|operations';
const MODULE_OF = `^src/((?:(?:${NESTED})/)?[^/]+)/`;

/**
 * Decisions and vocabulary without Nest, TypeORM or I/O: what modules may share besides services and modules.
 * The suffix says so; all of money/, the templates of pages and the configuration are pure as well.
 */
const pure =
  '^src/(config(-chains|-fields|-notices)?|money/[\\w-]+|platform/(web/html|kernel/i18n)/[\\w-]+|.+/page/[\\w-]+|.+\\.pure)\\.ts$';
const spec = '\\.spec\\.ts$';
// derivation.pure.ts: of the client package and of pages (scripts/bundle-derivation.mjs).
const entry = '^src/(main|cli|demo/faucet/pay|wallets/derivation\\.pure)\\.ts$';
const program = '^src/((main|gateway|cli|app|app\\.module)\\.ts$|cli/)';
const known = `^src/(${Object.keys(MODULES).join('|')})/`;

const moduleRules = Object.entries(MODULES).map(([name, others]) => {
  const open = { platform: [], money: ['platform'] }[name] ?? ['platform', 'money'];
  const seen = [name, ...open, ...others].join('|');
  return {
    name: `module-${name}`,
    comment: `${name} imports ${[...open, ...others].join(', ') || 'nothing'} and the configuration.`,
    severity: 'error',
    from: { path: `^src/${name}/` },
    to: {
      path: '^(src|migrations)/',
      pathNot: [
        `^src/(${seen})/`,
        '^src/config(-chains)?\\.ts$',
        // Of the environment, names alone.
        ...(name === 'operations/doctor' ? ['^src/unread-settings\\.ts$'] : []),
        ...(MIGRATING.includes(name) ? [MIGRATIONS] : []),
      ],
    },
  };
});

const floorRules = Object.entries(FLOORS).map(([name, below]) => ({
  name: `floor-${name}`,
  comment: `platform/${name} imports ${below.join(', ') || 'no other floor'}.`,
  severity: 'error',
  from: { path: `^src/platform/${name}/`, pathNot: spec },
  to: { path: '^src/platform/', pathNot: `^src/platform/(${[name, ...below].join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...moduleRules,
    ...floorRules,
    {
      name: 'unknown-module',
      comment: 'A new module is declared in the table above first.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: [known, program] },
      to: {},
    },
    {
      name: 'unknown-module-imported',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: [known, program] },
    },
    {
      name: 'foreign-internals',
      comment:
        'Across modules: a *.service.ts, the *.module.ts, a *.contract.ts or a *.pure.ts; never a controller or entity.',
      severity: 'error',
      from: { path: MODULE_OF, pathNot: program },
      to: {
        path: '^src/[^/]+/',
        // too-much-sql: conditions that lists of both modules share, word for word.
        pathNot: [
          '^src/$1/',
          '^src/(platform|money)/',
          '\\.(service|module|contract)\\.ts$',
          pure,
          '^src/payments/too-much/too-much-sql\\.repository\\.ts$',
        ],
      },
    },
    {
      name: 'payments-without-nodes',
      comment: 'payments reads the chain catalog (names, decimals, confirmations), never an adapter.',
      severity: 'error',
      from: { path: '^src/payments/' },
      to: {
        path: '^src/chains/',
        pathNot:
          '^src/chains/(chains\\.(service|module)|blockchain-filter\\.contract|(chain|chain-catalog|chain-selection|floors|required-confirmations)\\.pure)\\.ts$',
      },
    },
    {
      name: 'tokens-not-imported',
      comment: 'Its guard is global; the decorators that routes use are in platform/web/security/auth.ts.',
      severity: 'error',
      from: { pathNot: ['^src/tokens/', '^src/demo/', program] },
      to: { path: '^src/tokens/' },
    },
    {
      name: 'demo-only-from-main',
      comment: 'Production code must not depend on the development profile; main starts it, cli uses it.',
      severity: 'error',
      from: { pathNot: ['^src/demo/', '^src/(main|cli)\\.ts$'] },
      to: { path: '^src/demo/' },
    },
    {
      name: 'demo-loaded-on-demand',
      comment: 'main.ts and cli.ts import demo dynamically: production never even reads its code.',
      severity: 'error',
      from: { path: '^src/(main|cli)\\.ts$' },
      to: { path: '^src/demo/', dynamic: false },
    },
    {
      name: 'program-not-imported',
      comment: 'main, gateway, cli, app and app.module join the modules; no module imports them.',
      severity: 'error',
      from: { pathNot: [program, '^src/demo/'] },
      to: { path: program },
    },
    {
      name: 'config-stands-alone',
      comment:
        'Only its own files (chains, notices, value formats), and the forms of an IP address, a URL and a placeholder.',
      severity: 'error',
      from: { path: '^src/config(-chains|-fields|-notices)?\\.ts$' },
      to: {
        path: '^(src|migrations)/',
        pathNot:
          '^src/(config-chains|config-fields|config-notices|platform/kernel/dns/ip-address\\.pure|platform/web/contract/(placeholder|url)\\.pure)\\.ts$',
      },
    },
    {
      name: 'migrations-stand-alone',
      comment: 'A released migration must not change its meaning because some code did.',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { path: '^src/' },
    },
    {
      name: 'pure-files-stay-pure',
      comment: 'A pure file imports pure files and libraries that only compute.',
      severity: 'error',
      // The files of web/ are constants of the program, though they are read from disk.
      from: { path: pure, pathNot: '^src/platform/(web/html/web-asset|kernel/i18n/texts)\\.ts$' },
      to: {
        // A type has no run time; `foreign-internals` covers the types of other modules.
        dependencyTypesNot: ['type-only'],
        pathNot: [
          pure,
          'node_modules/(@noble|@scure|ipaddr\\.js|otpauth|qr|zod)/',
          '^(node:)?(crypto|buffer|util|util/types|zlib)$',
        ],
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-dead-files',
      comment: 'A file that no entry point reaches is a leftover.',
      severity: 'error',
      from: { path: entry },
      to: { path: '^(src|migrations)/', pathNot: [spec, entry], reachable: false },
    },
    {
      name: 'src-without-test',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: spec },
      to: { path: '^(test|bench|scripts)/' },
    },
    {
      name: 'src-without-sdk',
      comment: 'The client is for merchants. The demo shop is one, and shows that the client is enough.',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: [spec, '^src/demo/shop/'] },
      to: { path: '^sdk/' },
    },
    {
      name: 'sdk-stands-alone',
      comment: 'The client is a package of its own, without dependencies, for browsers too.',
      severity: 'error',
      from: { path: '^sdk/', pathNot: [spec, '^sdk/src/collect/'] },
      to: { pathNot: '^sdk/src/(?!collect/)' },
    },
    {
      name: 'signer-is-small',
      comment:
        'The only code that holds private keys. It knows what derives and encodes, and reaches a node by fetch alone.',
      severity: 'error',
      from: { path: '^sdk/src/collect/', pathNot: spec },
      to: {
        pathNot: [
          '^sdk/src/collect/',
          '^src/(chains/account-reader|chains/evm/(evm-address|rlp)|collections/keyed/signing-needs|wallets/child-keys)\\.pure\\.ts$',
          'node_modules/(@noble|@scure)/',
          '^(node:)?(fs|timers/promises)$',
        ],
      },
    },
    {
      name: 'web-stands-alone',
      comment: 'Scripts of pages run in browsers; of the rest they know the types of the API only.',
      severity: 'error',
      from: { path: '^web/', pathNot: '^web/dashboard/' },
      to: { pathNot: '^(web/(?!dashboard/)|sdk/src/(api-types|derivation\\.d)\\.ts$)' },
    },
    {
      name: 'dashboard-is-a-client',
      comment:
        'What the dashboard can do, a program can: it speaks to the API by the client package, and by nothing else. Files of tables are written, and long numbers measured, in one place; all windows of a browser share their connections.',
      severity: 'error',
      from: { path: '^web/dashboard/', pathNot: spec },
      to: {
        pathNot: [
          '^(web/(dashboard|messages/dashboard|shared)/|web/tokens\\.css$|sdk/src/(http|errors|exact-json|changes|api-types|derivation\\.d)\\.ts$|src/platform/(kernel/sheet-format|web/html/number-size)\\.pure\\.ts$)',
          'node_modules/',
        ],
      },
    },
    {
      name: 'no-development-package',
      comment: 'The image is installed without devDependencies; their types vanish in compilation.',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: ['^src/demo/', spec] },
      to: { dependencyTypes: ['npm-dev', 'npm-optional'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-undeclared-package',
      comment:
        "A package that is only installed because of another one may vanish with it (jest brings @jest/globals). The client declares none: those of its signer are the gateway's, and bundled.",
      severity: 'error',
      from: { pathNot: [spec, '^sdk/src/collect/'] },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
