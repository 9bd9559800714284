import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError, loadConfig } from '../src/config.js';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Keys that the schemas of the configuration know, from their text: a chain's keys are written CHAIN_<SLUG>_*. */
function schemaKeys(): string[] {
  const source = read('src/config.ts') + read('src/config-chains.ts');
  const block = (name: string): string[] => {
    const [, body = ''] =
      new RegExp(`const ${name} = z\\.object\\(\\{\\n([\\s\\S]*?)\\n\\}\\);`).exec(source) ?? [];
    return [...body.matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map(([, key = '']) => key);
  };
  return [...block('schema'), ...block('chainSchema').map((key) => `CHAIN_<SLUG>_${key}`)];
}

/** Keys that the program reads from the environment around the schema: the profile, and the demo's own. */
function profileKeys(): string[] {
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => read(path.join('src', file)))
    .join('\n');
  return [...sources.matchAll(/\b(?:env|environment)(?:\[')?\.?([A-Z][A-Z0-9_]+)\b/g)].map(
    ([, key = '']) => key,
  );
}

const knownKeys = [...new Set([...schemaKeys(), ...profileKeys()])].sort();

/** Rows of the tables of docs/reference/configuration.md: key, unit, default, meaning. */
const documented = read('docs/reference/configuration.md')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, key = '']) => /^`[A-Z_<>]+`$/.test(key))
  .map(([, key = '', , standard = '']) => ({
    key: key.slice(1, -1),
    standard: /^`(.*)`$/.exec(standard)?.[1] ?? null,
    isRequired: standard.startsWith('**'),
  }));

/** `KEY=value` and `# KEY=value` lines of .env.example. */
const examples = [...read('.env.example').matchAll(/^(# )?([A-Z_]+)=(.*)$/gm)].map(
  ([, comment, key = '', value = '']) => ({
    key: key.replace(/^CHAIN_ETHEREUM_/, 'CHAIN_<SLUG>_'),
    name: key,
    value,
    isCommentedOut: comment !== undefined,
  }),
);

const DEVELOPMENT_ONLY = ['ANVIL_BIN', 'DATA_DIR'];
/** Read by compose.yaml and not by the gateway. */
const COMPOSE_ONLY = ['GATEWAY_PORT', 'POSTGRES_PASSWORD'];

const REQUIRED = {
  NODE_ENV: 'production',
  BASE_URL: 'https://pay.example.com',
  DATABASE_URL: 'postgres://gateway:x@db.example.com/gateway',
  APP_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
  CHAIN_ETHEREUM_RPC_URL: 'https://rpc.example.com',
};

describe('docs/reference/configuration.md', () => {
  it('lists every key of the program once, and no other', () => {
    expect(knownKeys.length).toBeGreaterThan(30);
    expect(documented.map(({ key }) => key).sort()).toEqual([...knownKeys, ...COMPOSE_ONLY].sort());
  });

  it.each(documented.filter(({ key, standard }) => standard !== null && schemaKeys().includes(key)))(
    'states the real default of $key: $standard',
    ({ key, standard }) => {
      expect(loadConfig({ ...REQUIRED, [key]: standard ?? '' })).toEqual(loadConfig(REQUIRED));
    },
  );

  it('marks as required what a production start requires, and nothing else', () => {
    let problems: string[] = [];
    try {
      loadConfig({ NODE_ENV: 'production' });
    } catch (error) {
      if (error instanceof ConfigError) problems = error.problems;
    }
    const required = documented.filter(({ key, isRequired }) => isRequired && !COMPOSE_ONLY.includes(key));
    expect(required.map(({ key }) => key).sort()).toEqual(
      problems.map((problem) => problem.split(':')[0] ?? '').sort(),
    );
  });
});

describe('.env.example', () => {
  it('has every key of a production gateway once, and no other', () => {
    const wanted = [...knownKeys, ...COMPOSE_ONLY].filter((key) => !DEVELOPMENT_ONLY.includes(key));
    expect(examples.map(({ key }) => key).sort()).toEqual(wanted.sort());
  });

  it("does not start a gateway with the example's keys", () => {
    const env = Object.fromEntries(
      examples.filter((line) => !line.isCommentedOut).map(({ name, value }) => [name, value]),
    );
    expect(() => loadConfig({ NODE_ENV: 'production', ...env })).toThrow(ConfigError);
    expect(Object.values(env).join('')).toBe('');
  });

  it('shows the real defaults in commented-out lines', () => {
    // An example of a form, not a default: where the database is, which proxies, and the built-in tokens spelt out.
    const shown = [
      'DATABASE_URL',
      'TRUSTED_PROXIES',
      'CHAIN_ETHEREUM_TOKENS',
      'CHAIN_ETHEREUM_CHAIN_ID',
      'CHAIN_ETHEREUM_CONFIRMATIONS',
    ];
    const lines = examples.filter((line) => line.isCommentedOut && !shown.includes(line.name));
    const env = Object.fromEntries(lines.map(({ name, value }) => [name, value]));
    expect(loadConfig({ ...REQUIRED, ...env })).toEqual(loadConfig(REQUIRED));
  });

  it('explains every key on the line before it', () => {
    const lines = read('.env.example').split('\n');
    const bare = lines.filter((line, index) => {
      if (!/^(# )?[A-Z_]+=/.test(line)) return false;
      // Adjacent lines share one comment.
      const first = lines.slice(0, index).findLastIndex((other) => !/^(# )?[A-Z_]+=/.test(other));
      return !/^# [A-Z]/.test(lines[first] ?? '') && !/^# [a-z]/.test(lines[first] ?? '');
    });
    expect(bare).toEqual([]);
  });
});

describe('compose.yaml', () => {
  const text = read('compose.yaml');
  const [, gateway = '', postgres = ''] =
    /^ {2}gateway:\n([\s\S]*?)^ {2}postgres:\n([\s\S]*?)^volumes:/m.exec(text) ?? [];

  it('uses only variables that .env.example has', () => {
    const asked = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);
    expect(new Set(asked)).toEqual(new Set(COMPOSE_ONLY));
    expect(gateway).toContain('env_file: .env');
  });

  it('contains no secret', () => {
    expect([...text.matchAll(/(PASSWORD|KEYS?|SECRET): (.*)$/gm)].map(([, , value]) => value)).toEqual([
      '${POSTGRES_PASSWORD:?set it in .env}',
    ]);
  });

  it('sets variables that the gateway knows', () => {
    const [, block = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(gateway) ?? [];
    const names = [...block.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = '']) => name);
    expect(names).toContain('DATABASE_URL');
    expect(names.filter((name) => !knownKeys.includes(name))).toEqual([]);
  });

  it.each([
    ['gateway', gateway],
    ['postgres', postgres],
  ])('makes the %s service read-only, with a health check and restarts', (_name, service) => {
    for (const line of [
      'healthcheck:',
      'read_only: true',
      'no-new-privileges:true',
      'restart: unless-stopped',
    ])
      expect(service).toContain(line);
  });

  it('publishes the gateway on loopback only, and the database not at all', () => {
    expect(gateway).toContain(`'127.0.0.1:\${GATEWAY_PORT:-3000}:3000'`);
    expect(postgres).not.toContain('ports:');
  });
});
