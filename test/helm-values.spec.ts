import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { isConfigurationKey } from '../src/config.js';
import { metadata, readChartFile, valueErrors, type Values } from './support/helm/chart.js';
import { FULL, REQUIRED } from './support/helm/values.js';

describe('the values of the Helm chart', () => {
  it.each<{ what: string; values: Values; error: string }>([
    {
      what: 'no repository of the image',
      values: { ...REQUIRED, image: {} },
      error: '/image/repository must match pattern',
    },
    { what: 'no BASE_URL', values: { image: REQUIRED.image }, error: '/config/BASE_URL must match pattern' },
    {
      what: 'a BASE_URL without TLS',
      values: { ...REQUIRED, config: { BASE_URL: 'http://pay.example.com' } },
      error: '/config/BASE_URL must match pattern',
    },
    {
      what: 'a misspelled value',
      values: { ...REQUIRED, watcher: { replica: 3 } },
      error: '/watcher must NOT have additional properties replica',
    },
    {
      what: 'a number for a setting',
      values: { ...REQUIRED, config: { ...REQUIRED.config, DATABASE_POOL_SIZE: 16 } },
      error: '/config/DATABASE_POOL_SIZE must be string string',
    },
    {
      what: 'a quantity that Kubernetes does not know',
      values: { ...REQUIRED, api: { targetCPU: '60%' } },
      error: '/api/targetCPU must match pattern',
    },
    {
      what: 'no replicas of the watcher',
      values: { ...REQUIRED, watcher: { replicas: 0 } },
      error: '/watcher/replicas must be >= 1',
    },
    {
      what: 'an incomplete digest',
      values: { ...REQUIRED, image: { ...REQUIRED.image, digest: 'sha256:a1' } },
      error: '/image/digest must match pattern',
    },
    ...[
      'APP_KEYS',
      'CHECKOUT_SIGNING_KEY',
      'DATABASE_URL',
      'DATABASE_MIGRATION_URL',
      'METRICS_TOKEN',
      'CHAIN_ETHEREUM_RPC_URL',
      'CHAIN_TRON_API_KEY',
      'WEBHOOK_PROXY_URL',
    ].map((name) => ({
      what: `the secret ${name} among settings`,
      values: { ...REQUIRED, config: { ...REQUIRED.config, [name]: 'x' } },
      error: '/config property name must be valid',
    })),
    {
      what: 'a role of its own',
      values: { ...REQUIRED, config: { ...REQUIRED.config, ROLE: 'all' } },
      error: '/config property name must be valid',
    },
  ])('$what: are refused', ({ values, error }) => {
    expect(valueErrors(values)).toContainEqual(expect.stringContaining(error));
  });

  it('that are right are not refused', () => {
    expect(valueErrors(REQUIRED)).toEqual([]);
    expect(valueErrors(FULL)).toEqual([]);
    expect(
      valueErrors({ ...REQUIRED, config: { ...REQUIRED.config, CHAIN_ETHEREUM_TOKENS: 'USDC' } }),
    ).toEqual([]);
  });

  it('have a default, each that the schema knows', () => {
    interface Schema {
      properties?: Record<string, Schema>;
    }
    const known = ({ properties = {} }: Schema, path = ''): string[] =>
      Object.entries(properties).flatMap(([name, schema]) => [
        `${path}/${name}`,
        ...known(schema, `${path}/${name}`),
      ]);
    const given = (values: unknown, path = ''): string[] =>
      typeof values !== 'object' || values === null || Array.isArray(values)
        ? []
        : Object.entries(values).flatMap(([name, value]) => [
            `${path}/${name}`,
            ...given(value, `${path}/${name}`),
          ]);
    const defaults = new Set(given(parse(readChartFile('values.yaml'))));
    const names = known(JSON.parse(readChartFile('values.schema.json')) as Schema);
    expect(names.length).toBeGreaterThan(30);
    // Helm adds it by itself.
    expect(names.filter((name) => !defaults.has(name))).toEqual(['/global']);
  });

  it('name settings that the configuration declares', () => {
    const { config } = parse(readChartFile('values.yaml')) as { config: Record<string, string> };
    expect(Object.keys(config).filter((name) => !isConfigurationKey(name))).toEqual([]);
  });

  it('are of the version of the program', () => {
    const { version } = JSON.parse(
      readFileSync(path.resolve(import.meta.dirname, '../package.json'), 'utf8'),
    ) as { version: string };
    expect(metadata).toMatchObject({
      apiVersion: 'v2',
      version,
      appVersion: version,
    });
  });
});
