import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
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

/** Rows of the tables of the two pages: key, unit, default, meaning. */
const documented = [read('docs/reference/configuration.md'), read('docs/reference/configuration-chains.md')]
  .join('\n')
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
const COMPOSE_PASSWORDS = ['POSTGRES_PASSWORD', 'MIGRATOR_DATABASE_PASSWORD', 'GATEWAY_DATABASE_PASSWORD'];
const COMPOSE_ONLY = ['GATEWAY_PORT', ...COMPOSE_PASSWORDS];

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
    // An example of a form, not a default: where the database is, which proxies, and a chain's own defaults spelt out.
    const shown = [
      'DATABASE_URL',
      'DATABASE_MIGRATION_URL',
      'TRUSTED_PROXIES',
      'CHAIN_ETHEREUM_TOKENS',
      'CHAIN_ETHEREUM_CHAIN_ID',
      'CHAIN_ETHEREUM_CONFIRMATIONS',
      'CHAIN_ETHEREUM_FLOORS',
      'CHAIN_ETHEREUM_NATIVE',
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

interface Service {
  environment?: Record<string, string>;
  env_file?: string;
  ports?: string[];
  networks: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  [key: string]: unknown;
}

describe('compose.yaml', () => {
  const text = read('compose.yaml');
  const { services, networks } = parse(text, { merge: true }) as {
    services: Record<'migrate' | 'gateway' | 'postgres', Service>;
    networks: Record<string, { internal?: boolean } | null>;
  };
  const variablesOf = (service: Service): string[] => Object.keys(service.environment ?? {});
  const asked = (value: unknown): string[] =>
    [...JSON.stringify(value).matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name);

  it('uses only variables that .env.example has', () => {
    expect(new Set(asked(services))).toEqual(new Set([...COMPOSE_ONLY, 'APP_KEYS']));
  });

  it('contains no secret', () => {
    const secrets = [...text.matchAll(/(?:PASSWORD|KEYS?|SECRET): (.*)$|:\/\/[a-z_]+:(.*)@/gm)];
    const written = secrets.map(([, value = '', inUrl = '']) => value || inUrl);
    expect(written.length).toBeGreaterThan(5);
    expect(written.filter((value) => !/^(''|\$\{[A-Z_]+:\?set it in \.env\})$/.test(value))).toEqual([]);
  });

  it('sets variables that the gateway knows', () => {
    const names = [...variablesOf(services.gateway), ...variablesOf(services.migrate)];
    expect(names.filter((name) => ![...knownKeys, ...COMPOSE_PASSWORDS].includes(name))).toEqual([]);
  });

  it("keeps the passwords of the superuser and the schema's owner from the gateway", () => {
    const { environment = {}, env_file } = services.gateway;
    expect(env_file).toBe('.env');
    // All of .env goes to it, so what is not its own is replaced by nothing.
    for (const name of [...COMPOSE_PASSWORDS, 'DATABASE_MIGRATION_URL'])
      expect([name, environment[name]]).toEqual([name, '']);
    expect(environment['DATABASE_URL']).toMatch(/^postgres:\/\/gateway_app:/);
  });

  it('gives the migration nothing but the two roles and the keys', () => {
    expect(services.migrate.env_file).toBeUndefined();
    expect(asked(services.migrate).toSorted()).toEqual(
      ['APP_KEYS', 'GATEWAY_DATABASE_PASSWORD', 'MIGRATOR_DATABASE_PASSWORD'].toSorted(),
    );
    expect(services.gateway.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
  });

  it('makes the roles of a new database by ops/postgres/roles.sql', () => {
    expect(services.postgres.volumes).toContain(
      './ops/postgres/roles.sql:/docker-entrypoint-initdb.d/roles.sql:ro',
    );
    expect(variablesOf(services.postgres)).not.toContain('POSTGRES_USER');
  });

  it.each(['migrate', 'gateway', 'postgres'] as const)('hardens the %s service', (name) => {
    const service = services[name];
    expect(service).toMatchObject({
      read_only: true,
      security_opt: ['no-new-privileges:true'],
      pids_limit: 256,
    });
    expect(service['mem_limit']).toMatch(/^\d+[mg]$/);
    if (name !== 'postgres') expect(service['cap_drop']).toEqual(['ALL']);
    if (name !== 'migrate')
      expect(service).toMatchObject({ restart: 'unless-stopped', healthcheck: expect.anything() });
  });

  it('publishes the gateway on loopback only, and gives the database no way to the internet', () => {
    expect(services.gateway.ports).toEqual(['127.0.0.1:${GATEWAY_PORT:-3000}:3000']);
    expect(services.postgres.ports).toBeUndefined();
    expect([services.postgres.networks, services.migrate.networks]).toEqual([['database'], ['database']]);
    expect(networks['database']).toEqual({ internal: true });
  });
});
