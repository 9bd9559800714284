import { describeUnread, unreadSettings } from './config-names.pure.js';
import { isConfigurationKey } from './config.js';
import { listUnreadSettings } from './unread-settings.js';

const KNOWN = [
  'TRUSTED_PROXIES',
  'LOG_LEVEL',
  'BASE_URL',
  'HOST',
  'PORT',
  'QUOTE_TTL',
  'DATABASE_URL',
  'ROLE',
];
const listed = (...names: string[]) =>
  unreadSettings(names, KNOWN, (name) => KNOWN.includes(name)).map(describeUnread);

it.each([
  ['TRUSTED_PROXY', 'TRUSTED_PROXY is no setting; did you mean TRUSTED_PROXIES?'],
  ['TRUSTEDPROXIES', 'TRUSTEDPROXIES is no setting; did you mean TRUSTED_PROXIES?'],
  ['LOGLEVEL', 'LOGLEVEL is no setting; did you mean LOG_LEVEL?'],
  ['BASEURL', 'BASEURL is no setting; did you mean BASE_URL?'],
  ['BASE_ULR', 'BASE_ULR is no setting; did you mean BASE_URL?'],
  ['DATABSE_URL', 'DATABSE_URL is no setting; did you mean DATABASE_URL?'],
  ['CHAIN_ETHEREUM_RPC', 'CHAIN_ETHEREUM_RPC is no setting'],
  ['WEBHOOK_SECRET', 'WEBHOOK_SECRET is no setting'],
  ['RATE_LIMIT_WRITE_S', 'RATE_LIMIT_WRITE_S is no setting'],
])('%s is named', (name, sentence) => {
  expect(listed(name)).toEqual([sentence]);
});

it.each([
  ...KNOWN,
  // What containers, shells, supervisors and other programs set.
  'HOSTNAME',
  'HOME',
  'PATH',
  'USER',
  'SHELL',
  'PWD',
  'TERM',
  'LANG',
  'TZ',
  'HOSTTYPE',
  'OLDPWD',
  'COLUMNS',
  'INVOCATION_ID',
  'JOURNAL_STREAM',
  'NODE_VERSION',
  'YARN_VERSION',
  'NODE_OPTIONS',
  'MAINPID',
  'PORTS',
  'KUBERNETES_SERVICE_HOST',
  'KUBERNETES_PORT',
  'npm_config_cache',
  '_',
  'XPC_FLAGS',
  'RULE',
  'MOST',
  'POSTGRES_PASSWORD',
  'GATEWAY_DATABASE_PASSWORD',
  'MIGRATOR_DATABASE_PASSWORD',
  'GATEWAY_PORT',
])('%s is not', (name) => {
  expect(listed(name)).toEqual([]);
});

it('knows every setting that the program reads, chains included', () => {
  const environment = { CHAIN_BITCOIN_CASH_RPC_URL: 'x', TRUSTED_PROXIES: 'x', NODE_ENV: 'production' };
  for (const name of Object.keys(environment))
    if (name !== 'NODE_ENV') expect(isConfigurationKey(name)).toBe(true);
  expect(
    listUnreadSettings({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: 'x', VERIFY_INTERVALL: '1' }),
  ).toEqual(['VERIFY_INTERVALL is no setting; did you mean VERIFY_INTERVAL?']);
});
