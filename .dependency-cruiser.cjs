// Who may import whom. A broken rule fails `npm run boundaries`, and with it `npm run check`;
// test/boundaries.spec.ts feeds every kind of rule a bad file.
//
// Type-only imports count (tsPreCompilationDeps): a room that knows the shape of another room's table
// depends on that table, whether or not the import survives compilation.

/** Every room of src/ and the rooms that it may see. `common`, `money` and `config.ts` are open to all but themselves. */
const ROOMS = {
  common: [],
  money: [],
  rates: [],
  chains: [],
  health: [],
  oauth: [],
  // The signed-in user's settings: endpoints of what oauth keeps of a user.
  account: ['oauth'],
  // chains: which confirmations may be asked for.
  applications: ['chains'],
  wallets: ['applications', 'chains'],
  // The chain catalogue only; see `payments-never-touch-a-node`.
  payments: ['applications', 'rates', 'chains'],
  // wallets: a payout must not go to an address that we watch, and a pasted key is known by its look.
  // applications: the claim page shows the shop's name.
  refunds: ['payments', 'chains', 'wallets', 'applications'],
  checkout: ['payments', 'applications', 'wallets', 'rates', 'chains'],
  // What the other rooms know of currencies, chains and rates, to read; it decides nothing.
  catalog: ['rates', 'chains'],
  'chain-watcher': ['payments', 'wallets', 'chains'],
  // Judges the books of payments against the chains; it writes nothing.
  reconciliation: ['payments', 'wallets', 'chains'],
  // What an operator watches; it reads the tables of the engine and the outbox, and writes nothing.
  operator: ['chains'],
  // Looks at everything around the gateway; the command line's own room.
  doctor: ['applications', 'chains', 'rates'],
  webhooks: ['payments', 'applications'],
  tokens: ['applications', 'oauth'],
  // The vocabulary of payments and refunds only, so that the document lists what the code knows.
  openapi: ['payments', 'refunds'],
  // Development profile only: it sets up and drives the whole house.
  demo: [
    'common',
    'money',
    'rates',
    'chains',
    'oauth',
    'applications',
    'wallets',
    'payments',
    'tokens',
    // The page at `/` offers the demo's checkout.
    'openapi',
  ],
};

/** Decisions and vocabulary without Nest, TypeORM or I/O: what rooms may share besides services and modules. */
const PURE = [
  'config(-fields)?',
  'common/page/[\\w-]+',
  'common/(audit-acts|audit-chain|client-address|clock|error-catalogue|errors|event-types|exact-json|hmac|hosts-file|id-forms|ids|ignored-names|ip-address|json-mistake|link-mistake|markup|meters|name-answers|near-route|not-enabled|path-id|prometheus-text|qr-code|query-parameters|rate-buckets|rate-limit|redaction|request-class|selection-message|signed-link|similar-names)',
  'money/[^/]+',
  'rates/(exact-decimal|rate-guards|rate-source)',
  'chains/(chain-adapter|chain-auditor|chain-catalogue|chain-condition|chain-registry|chain-selection|confirmation-tiers|contract-address|least-transfer|one-by-one|payment-uri|range-size|required-confirmations|token-contracts)',
  'chains/evm/(evm-address|evm-bloom|evm-transfer-logs|evm-wire)',
  'chains/tron/(tron-address|tron-credits|tron-network|tron-wire)',
  'chains/utxo/(byte-reader|cash-address|merge-mining|proof-of-work|raw-transaction|utxo-address|utxo-network|utxo-wire)',
  'wallets/(address-chain|extended-public-key|output-descriptor|pasted-secret|utxo-account-key)',
  'applications/(application-deleted|application-view|client-id|misplaced-site|payment-callback|wanted-confirmations|webhook-secret|webhook-target|whitelist-problems)',
  'payments/(application-choice|asked-amount|checkout-url|create-checks|funds-after-end|payable-families|payable-networks|payment|payment-audit|payment-review|payment-rows|payment-status|quote-choice|refused-move|settlement|stake|transfer-acceptance|transfer-state)',
  'refunds/page/claim-(document|screens|script)',
  'refunds/(claim-url|payout-address|payout-rate|refund|refund-status)',
  'checkout/(confirmations|method-choice|waiting-time|page/[\\w-]+)',
  'oauth/(access-token-refusal|recovery-codes|sign-in-pages|totp|work-limit)',
  'webhooks/(response-excerpt|retry-schedule|send-failure|webhook-signature)',
  'tokens/(client-token|client-token-refusal|scopes|token-refusal)',
  'reconciliation/(reconciliation-report|reconciliation-view|transfer-audit)',
];

/** common runs the migrations; health and doctor compare them with the database. */
const MIGRATING = ['common', 'doctor', 'health'];
const MIGRATIONS = '^migrations/index\\.ts$';

const pure = `^src/(${PURE.join('|')})\\.ts$`;
const spec = '\\.spec\\.ts$';
const entry = '^src/(main|cli|demo/faucet/pay)\\.ts$';
const program = '^src/(main|cli|app|app\\.module)\\.ts$';

const roomRules = Object.entries(ROOMS).map(([room, others]) => {
  const open = { common: [], money: ['common'] }[room] ?? ['common', 'money'];
  const seen = [room, ...open, ...others].join('|');
  return {
    name: `room-${room}`,
    comment: `${room} sees ${[...open, ...others].join(', ') || 'nothing'} and the configuration.`,
    severity: 'error',
    from: { path: `^src/${room}/` },
    to: {
      path: '^(src|migrations)/',
      pathNot: [`^src/(${seen})/`, '^src/config\\.ts$', ...(MIGRATING.includes(room) ? [MIGRATIONS] : [])],
    },
  };
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: 'unknown-room',
      comment: 'A new room gets a line in the table above first.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: `^src/(${Object.keys(ROOMS).join('|')})/` },
      to: {},
    },
    {
      name: 'unknown-room-imported',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: `^src/(${Object.keys(ROOMS).join('|')})/` },
    },
    {
      name: 'foreign-internals',
      comment:
        'Across rooms: a *.service.ts, the *.module.ts or a pure file; never a controller, entity or DTO.',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: {
        path: '^src/[^/]+/',
        pathNot: ['^src/$1/', '^src/(common|money)/', '\\.(service|module)\\.ts$', pure],
      },
    },
    {
      name: 'payments-never-touch-a-node',
      comment: 'payments reads the chain catalogue (names, decimals, confirmations), never an adapter.',
      severity: 'error',
      from: { path: '^src/payments/' },
      to: {
        path: '^src/chains/',
        pathNot:
          '^src/chains/(chains\\.(service|module)|chain-catalogue|chain-selection|required-confirmations)\\.ts$',
      },
    },
    {
      name: 'nobody-imports-tokens',
      comment: 'Its guard is global; the decorators that routes use sit in common/auth.ts.',
      severity: 'error',
      from: { pathNot: ['^src/tokens/', '^src/demo/', program] },
      to: { path: '^src/tokens/' },
    },
    {
      name: 'demo-only-from-main',
      comment: 'No production code may lean on the development profile: main starts it, cli works beside it.',
      severity: 'error',
      from: { pathNot: ['^src/demo/', '^src/(main|cli)\\.ts$'] },
      to: { path: '^src/demo/' },
    },
    {
      name: 'demo-loaded-on-demand',
      comment: 'main.ts and cli.ts import demo dynamically: in production its code is not even read.',
      severity: 'error',
      from: { path: '^src/(main|cli)\\.ts$' },
      to: { path: '^src/demo/', dynamic: false },
    },
    {
      name: 'nobody-imports-the-program',
      comment: 'main, cli, app and app.module stand on top of the rooms.',
      severity: 'error',
      from: { pathNot: [program, '^src/demo/'] },
      to: { path: program },
    },
    {
      name: 'config-knows-nobody',
      comment: 'Only how its values are written: a file of its own, and the form of an IP address.',
      severity: 'error',
      from: { path: '^src/config(-fields)?\\.ts$' },
      to: { path: '^(src|migrations)/', pathNot: '^src/(config-fields|common/ip-address)\\.ts$' },
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
      from: { path: pure },
      to: {
        // A type has no run time; foreign types are judged by `foreign-internals`.
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
      comment: 'Whatever the program cannot reach is a leftover.',
      severity: 'error',
      from: { path: entry },
      to: { path: '^(src|migrations)/', pathNot: [spec, entry], reachable: false },
    },
    {
      name: 'src-never-imports-test',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: { path: '^(test|bench|scripts|sdk)/' },
    },
    {
      name: 'sdk-stands-alone',
      comment: 'The client is a package of its own, without dependencies, for browsers too.',
      severity: 'error',
      from: { path: '^sdk/', pathNot: spec },
      to: { pathNot: '^sdk/src/' },
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
        'A package that only comes along with another one may vanish with it (jest brings @jest/globals).',
      severity: 'error',
      from: { pathNot: spec },
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
