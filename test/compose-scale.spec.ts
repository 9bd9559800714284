import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

describe('compose.scale.yaml', () => {
  type Service = Record<string, unknown> & { environment?: Record<string, string> };
  const servicesOf = (file: string) =>
    (parse(read(file), { merge: true }) as { services: Record<string, Service> }).services;
  const [one, many] = [servicesOf('compose.yaml'), servicesOf('compose.scale.yaml')];

  it.each(['api', 'worker', 'watcher'])('runs %s as compose.yaml runs the whole gateway', (role) => {
    const { deploy: _replicas, ports: _ports, ...service } = many[role] ?? {};
    const { ports: _own, ...gateway } = one['gateway'] ?? {};
    expect(service).toEqual({ ...gateway, environment: { ...gateway.environment, ROLE: role } });
  });

  it('takes database and migration from compose.yaml', () => {
    const { api: _api, worker: _worker, watcher: _watcher, ...others } = many;
    const from = (service: string) => ({ extends: { file: 'compose.yaml', service } });
    expect(others).toEqual({ migrate: from('migrate'), postgres: from('postgres') });
    const [{ networks, volumes }, own] = ['compose.yaml', 'compose.scale.yaml'].map(
      (file) => parse(read(file), { merge: true }) as Record<string, unknown>,
    ) as [Record<string, unknown>, Record<string, unknown>];
    expect([own['networks'], own['volumes']]).toEqual([networks, volumes]);
  });
});
