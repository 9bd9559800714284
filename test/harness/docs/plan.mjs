// What becomes of every code block of the documentation. A block that is not listed here, or that two lines claim, makes
// the harness fail: its author decides whether it is run, checked against something, or run elsewhere.
import {
  checkApiHeaders,
  checkCaddyfile,
  checkChartValues,
  checkCommands,
  checkConfigurationErrors,
  checkEnvironment,
  checkEventStream,
  checkJson,
  checkMermaid,
  checkPrometheus,
  checkSummary,
  checkTokenPattern,
  checkUpstreams,
  checkVector,
  checkWebhookRequest,
  runSql,
} from './block-checks.mjs';
import { answerOf, schemaNamed } from './document.mjs';
import {
  runAmounts,
  runCancel,
  runFind,
  runInShort,
  runList,
  runLook,
  runPaidToUs,
  runVerify,
} from './sdk-samples.mjs';
import * as setups from './setups.mjs';

/** Commands that are run in the document's shell. `before` does by hand what the text asks of the reader. */
const sh = (text, { before, prints = [] } = {}) => ({
  text,
  languages: ['sh'],
  kind: 'shell',
  before,
  prints,
});
/** Run by another part of CI, which must still be there. Names are checked all the same. */
const elsewhere = (text, by, languages = ['sh']) => ({ text, languages, kind: 'elsewhere', by });
/** Commands that need something which is not here. */
const names = (text, why) => ({ text, languages: ['sh'], kind: 'check', check: checkCommands, why });
const check = (text, language, work, why) => ({
  text,
  languages: [language],
  kind: 'check',
  check: work,
  why,
});
/** Run by a program of the harness's own. */
const program = (text, language, work) => ({ text, languages: [language], kind: 'run', check: work });

/** By its walk `shop`, test/harness/shop.mjs. */
const SHOP = 'test/harness/profile.mjs';
const NO_ENGINE = 'no container engine';
const JEST = 'npm test';

/** By document, in the order in which they are run on one gateway: what is created first is there for the next. */
export const DOCUMENTS = {
  'README.md': {
    blocks: [
      elsewhere('npm ci && npm start', 'test/harness/start.mjs'),
      check('(development profile, play money)', 'text', checkSummary),
      elsewhere('npm ci && npm test', JEST),
      sh('demo() {'),
      sh('"reference": "ORDER-1"', { prints: [/"checkoutUrl":"http/] }),
      sh('LINK=$(demo checkoutUrl)', { prints: [/"result":"0x[0-9a-f]{64}"/] }),
      sh('/api/payment/$ID" -H', { prints: [/"status":"(OPEN|FOUND)"/] }),
      sh('TOKEN=$(curl', { prints: [/"name":"Demo shop"/] }),
    ],
  },
  'docs/explanation/life-of-a-payment.md': {
    blocks: [check('stateDiagram-v2', 'mermaid', checkMermaid)],
  },
  'docs/architecture.md': {
    blocks: [elsewhere('flowchart LR', 'test/architecture-docs.spec.ts', ['mermaid'])],
  },
  'docs/how-to/deployment.md': {
    setup: setups.deployment,
    blocks: [
      names('cp .env.example .env', NO_ENGINE),
      sh('create-user --email you@example.com', { prints: [/password: /, /client secret: /] }),
      sh('WEBHOOK_SECRET="whsec_', { before: setups.adoptClient, prints: [/"previewAddresses":\["0x/] }),
      check('reverse_proxy', 'caddyfile', checkCaddyfile, 'no Caddy'),
      elsewhere('log_format without_query', 'test/harness/nginx.mjs', ['nginx']),
      names('git pull', NO_ENGINE),
      names('docker compose stop gateway', NO_ENGINE),
      elsewhere('npm prune --omit=dev', 'test/harness/nginx.mjs'),
    ],
  },
  'docs/how-to/scaling.md': {
    blocks: [
      names('docker compose -f compose.scale.yaml', NO_ENGINE),
      check('health_uri', 'caddyfile', checkUpstreams, 'no Caddy'),
      check('networkPolicy:', 'yaml', checkChartValues, 'no cluster'),
      names('helm upgrade --install', 'no cluster'),
    ],
  },
  'docs/how-to/release.md': {
    blocks: [
      elsewhere('ssh-keygen -Y verify', 'test/nightly/release.e2e-spec.ts'),
      names('gh attestation verify', 'needs a published release'),
      elsewhere('npm run release', 'test/nightly/release.e2e-spec.ts'),
    ],
  },
  'docs/how-to/upgrade.md': { blocks: [check('pg_stat_activity', 'sql', runSql)] },
  'docs/how-to/access.md': {
    setup: setups.merchantWithKey,
    blocks: [
      sh('/client-tokens', { prints: [/"token":"pct_/] }),
      sh('--name "Shop server"', { prints: [/client secret: /, /"access_token":/] }),
      sh('--name "Wallet setup"', { prints: [/client secret: /, /"previewAddresses":\["0x/] }),
      sh('--redirect-uri', { prints: [/client id: /] }),
    ],
  },
  'docs/how-to/account.md': {
    blocks: [
      elsewhere('"kinds"', 'test/notices.e2e-spec.ts', ['json']),

      check('"twoFactorEnabled"', 'json', checkJson(answerOf('GET /api/account'))),
      elsewhere('account/invitations', 'test/members.e2e-spec.ts'),
    ],
  },
  'docs/how-to/generate-a-client.md': {
    blocks: [
      elsewhere('python pay.py', 'test/harness/clients.mjs'),
      elsewhere('go run .', 'test/harness/clients.mjs'),
      elsewhere('npx tsc --strict', 'test/harness/clients.mjs'),

      sh('export GATEWAY=$(demo baseUrl)'),
      elsewhere('openapi-python-client generate', 'test/harness/clients.mjs'),
      elsewhere('create_checkout.sync', 'test/harness/clients.mjs', ['python']),
      elsewhere('oapi-codegen -generate', 'test/harness/clients.mjs'),
      elsewhere('NewClientWithResponses', 'test/harness/clients.mjs', ['go']),
      elsewhere('npx openapi-typescript', 'test/harness/clients.mjs'),
      elsewhere('createClient<paths>', 'test/harness/clients.mjs', ['ts']),
    ],
  },
  'docs/how-to/branding.md': {
    setup: setups.merchant,
    blocks: [
      sh('"supportUrl"', { prints: [/"accent":"#0b6b3d"/] }),
      sh('LOGO=', { prints: [/"mediaType":"image\/svg\+xml"/] }),
    ],
  },
  'docs/how-to/embed.md': {
    blocks: [
      elsewhere('data-checkout-url', 'test/browser/embed.e2e-spec.ts', ['html']),
      elsewhere('Gateway.open(', 'test/browser/embed.e2e-spec.ts', ['js']),
    ],
  },
  'docs/reference/applications.md': {
    setup: setups.merchant,
    blocks: [
      sh('"payment.refund", "payment.expired"', { prints: [/"payment.expired"/] }),
      check('"addressCount"', 'json', checkJson(schemaNamed('Holding'))),
      sh('"confirmations": {"bitcoin"', { prints: [/"bitcoin":3/] }),
      check(
        '"estimatedSecondsRemaining"',
        'json',
        checkJson(schemaNamed('CheckoutStatus'), { isPart: true }),
      ),
    ],
  },
  'docs/reference/catalog.md': {
    setup: setups.shop,
    blocks: [
      sh('/api/currencies?type=crypto', { prints: [/"code":"USDT"/] }),
      check('"tokenStandard"', 'json', checkJson(answerOf('GET /api/currencies/{code}'))),
      check('"confirmationTiers"', 'json', checkJson(answerOf('GET /api/blockchains/{slug}'))),
      check('"fetchedAt"', 'json', checkJson(answerOf('GET /api/rates'))),
    ],
  },
  'docs/reference/idempotency-and-limits.md': {
    setup: setups.shop,
    blocks: [
      sh("'Idempotency-Key: ORDER-1042-attempt-1'", { prints: [/"checkoutUrl":"http/] }),
      check('RateLimit-Policy', 'http', checkApiHeaders),
    ],
  },
  'docs/reference/payments.md': {
    blocks: [
      check('"amountAtomic"', 'json', checkJson(schemaNamed('CreateCheckout'), { isPart: true })),
      check('"cartId"', 'json', checkJson(schemaNamed('CreateCheckout'), { isPart: true })),
    ],
  },
  'docs/how-to/refunds.md': {
    setup: setups.paid,
    blocks: [
      elsewhere('/payouts/complete"', 'test/payouts.e2e-spec.ts'),
      elsewhere('payout.psbt', 'test/payouts-utxo.e2e-spec.ts'),

      sh('REFUND=$(curl', { prints: [/"status":"AWAITING_PAYMENT"/] }),
      sh('"txHash"', { before: setups.payOut, prints: [/"status":"(PROCESSING|COMPLETED)"/] }),
    ],
  },
  'docs/how-to/bookkeeping.md': {
    setup: setups.paid,
    blocks: [sh('reports/month'), sh('by=paid')],
  },
  'docs/how-to/wrong-network.md': {
    setup: setups.wrongNetwork,
    blocks: [sh('"transferId"', { prints: [/"acceptedAt":"2/] })],
  },
  'docs/how-to/webhooks.md': {
    setup: setups.paid,
    blocks: [
      check('POST /webhooks/payments HTTP/1.1', 'http', checkWebhookRequest),
      elsewhere("from 'standardwebhooks'", 'test/webhook-samples.e2e-spec.ts', ['js']),
      elsewhere("from 'node:crypto'", 'test/webhook-samples.e2e-spec.ts', ['js']),
      elsewhere('import base64', 'test/webhook-samples.e2e-spec.ts', ['python']),
      elsewhere('<?php', 'test/webhook-samples.e2e-spec.ts', ['php']),
      check('"status":"RECEIVED"}}', 'text', checkVector),
      check('"hasMore"', 'json', checkJson(answerOf('GET /api/events'))),
      check('id: ZTQy', 'text', checkEventStream),
    ],
  },
  'docs/reference/chains.md': {
    blocks: [
      check('CHAIN_LITECOIN_RPC_URL', 'env', checkEnvironment),
      check('CHAIN_BITCOIN_ESPLORA_URL', 'env', checkEnvironment),
      check('CHAIN_TRON_API_KEY', 'env', checkEnvironment),
      check('CHAIN_TRON_TOKENS', 'env', checkEnvironment),
      check('CHAIN_DOGECOIN_RPC_URL', 'env', checkEnvironment),
    ],
  },
  'docs/reference/configuration.md': {
    blocks: [check('The configuration has', 'text', checkConfigurationErrors)],
  },
  'docs/errors.md': { blocks: [check('"requestId"', 'json', checkJson(schemaNamed('Error')))] },
  'docs/how-to/operations.md': {
    blocks: [sh('cli.js --help', { prints: [/create-oauth-client/] })],
  },
  'docs/how-to/people.md': {
    setup: setups.employee,
    blocks: [
      elsewhere('set pending = -1', 'test/planted-rows.e2e-spec.ts', ['sql']),

      elsewhere('transfer-account', 'test/admin-users.e2e-spec.ts'),
      elsewhere('export-account', 'test/account-export.e2e-spec.ts'),
      elsewhere('erase-user', 'test/admin-users.e2e-spec.ts'),
      sh('set-operator', { prints: [/operator: yes/, /operator: no/] }),
      sh('revoke-oauth-client', { prints: [/revoked: +yes/, /disabled: yes/, /disabled: no/] }),
      elsewhere('reset-password-link', 'test/harness/cli.mjs'),
      elsewhere('restore-user', 'test/harness/cli.mjs'),
      sh('instruction-key', { prints: [/thumbprint: [\w-]{43}/] }),
    ],
  },
  'docs/how-to/metrics.md': { blocks: [check('scrape_configs', 'yaml', checkPrometheus)] },
  'docs/how-to/watch-chains.md': {
    blocks: [
      elsewhere('rescan --chain', 'test/harness/cli.mjs'),
      elsewhere('set-start-height', 'test/start-height.e2e-spec.ts'),
    ],
  },
  'docs/how-to/growth.md': { blocks: [elsewhere('docker compose logs', 'test/payment-log.e2e-spec.ts')] },
  'docs/how-to/verify.md': {
    setup: setups.auditHead,
    blocks: [
      sh('npm run verify  ', { prints: [/"consistent":true/] }),
      sh('npm run verify:audit', { prints: [/valid rows: \d+/] }),
      check('audit_log', 'sql', runSql),
    ],
  },
  'docs/how-to/recovery.md': {
    blocks: [
      sh('cli.js doctor'),
      elsewhere('createdb -U postgres', 'test/harness/restore.mjs'),
      elsewhere('npm run restore:drill', 'test/harness/restore.mjs'),
    ],
  },
  'docs/specification/instructions.md': {
    blocks: [
      elsewhere('"EdDSA"', JEST, ['json']),
      elsewhere('{"v":1,"paymentId"', JEST, ['text']),
      elsewhere('eyJhbGciOi', JEST, ['text']),
    ],
  },
  'docs/specification/money.md': { blocks: [check('"atomic"', 'json', checkJson(schemaNamed('Amount')))] },
  'docs/specification/webhooks.md': { blocks: [check('"status":"RECEIVED"}}', 'text', checkVector)] },
  'docs/explanation/benchmarks.md': {
    blocks: [
      elsewhere('npm run bench -- evm-catchup', 'bench/smoke.mjs'),
      elsewhere('--beside ../before', 'test/nightly/bench-beside.e2e-spec.ts'),
    ],
  },
  'docs/explanation/tests.md': { blocks: [elsewhere('npm run mutations', 'test/mutations.spec.ts')] },
  'CONTRIBUTING.md': {
    blocks: [
      elsewhere('npm run check   #', 'npm run check'),
      names('npm test -- src/payments', 'the whole suite is run by `npm test`'),
      names('REORG_DEPTHS=all', 'CI runs the same tests and harnesses'),
    ],
  },
  'SECURITY.md': { blocks: [check('pct_', 'regex', checkTokenPattern)] },
  'sdk/README.md': {
    blocks: [
      elsewhere('npx collect-sign', 'test/collect-sign.e2e-spec.ts'),

      sh('npm pack ./sdk', { prints: [/crypto-payment-gateway-client-.*\.tgz/] }),
      sh('npm install ../crypto', { before: setups.enterShop }),
      program('payments.waitFor', 'ts', runInShort),
      elsewhere('import express', 'test/sdk-readme.e2e-spec.ts', ['ts']),
      elsewhere('export async function POST(): Promise', 'test/harness/nextjs.mjs', ['ts']),
      elsewhere('export async function POST(request', 'test/harness/nextjs.mjs', ['ts']),
      program('export async function look', 'ts', runLook),
      program('isPaidInFull', 'ts', runAmounts),
      program('findOrCreate', 'ts', runFind),
      program('printOpen', 'ts', runList),
      elsewhere('overview.changes', 'test/sdk-overview.e2e-spec.ts', ['ts']),
      program('cancelIfUnpaid', 'ts', runCancel),
      program('instructionsToShow', 'ts', runVerify),
      program('isPaidToUs', 'ts', runPaidToUs),
      elsewhere('npx verify-address', 'npm test'),
    ],
  },
  'docs/how-to/collect-utxo.md': {
    blocks: [elsewhere('/collectio', 'test/holdings-utxo.e2e-spec.ts')],
  },
  'docs/how-to/collect.md': {
    blocks: [
      elsewhere('payment-applications/$ID/collectio', 'test/collections.e2e-spec.ts'),
      elsewhere('> plan.json', 'test/collect-sign.e2e-spec.ts'),
      elsewhere('node collect-sign.js', 'test/collect-sign.e2e-spec.ts'),
      elsewhere('node collect-send.js', 'test/collect-sign.e2e-spec.ts'),
      elsewhere('curl -s -OJ', 'test/holdings.e2e-spec.ts'),
    ],
  },
  'docs/how-to/install.md': {
    blocks: [
      elsewhere('tar -xzf payment-gateway', 'test/harness/install.mjs'),
      elsewhere('apt install ./crypto', 'test/harness/commands.mjs'),
      elsewhere('set-node ethereum', 'test/harness/commands.mjs'),
      elsewhere('create database gateway_restored', 'test/harness/commands.mjs'),
      elsewhere('install.sh --back', 'test/harness/install.mjs'),
      elsewhere('install.sh --remove', 'test/harness/commands.mjs'),
    ],
  },
  'docs/how-to/notices.md': {
    blocks: [elsewhere('SMTP_URL=', 'test/harness/commands.mjs', ['env'])],
  },
  // Last: it sets a callback URL where nothing listens, so that no payment after it would be CONFIRMED.
  'docs/tutorial/integrate-a-shop.md': {
    blocks: [
      elsewhere('npm pack ./sdk', SHOP),
      sh('"callbackUrl"', { prints: [/"callbackUrl":"http:\/\/localhost:8080/] }),
      elsewhere('WEBHOOK_SECRET=', SHOP),
    ],
  },
};
