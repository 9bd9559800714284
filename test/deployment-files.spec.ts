import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';
import { isConfigurationKey } from '../src/config.js';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const KUBERNETES = 'ops/kubernetes';

interface Container {
  name: string;
  image: string;
  command?: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  securityContext: Record<string, unknown>;
  resources: { requests?: object; limits?: object };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}
interface Probe {
  httpGet: { path: string };
  periodSeconds: number;
  failureThreshold: number;
}
interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: Container[];
    automountServiceAccountToken: boolean;
    enableServiceLinks: boolean;
    securityContext: Record<string, unknown>;
    terminationGracePeriodSeconds?: number;
  };
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: { template: PodTemplate; selector: { matchLabels: Record<string, string> } } & Record<
    string,
    unknown
  >;
}

/** `kubectl kustomize`, as an operator has it; CI installs it. */
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

/** The documents that the folder's kustomization.yaml names, without the changes that it makes to them. */
function listed(folder: string): Manifest[] {
  const { resources } = parse(read(path.join(folder, 'kustomization.yaml'))) as { resources: string[] };
  return resources.flatMap((file) => documentsOf(read(path.join(folder, file))));
}

function documentsOf(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}

function rendered(folder: string): Manifest[] {
  return documentsOf(execFileSync('kubectl', ['kustomize', path.join(root, folder)], { encoding: 'utf8' }));
}

/** Every manifest in the repository, also those that an operator has to add. */
const FILES = readdirSync(path.join(root, KUBERNETES), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml'))
  .toSorted();
const manifests = FILES.flatMap((file) => documentsOf(read(path.join(KUBERNETES, file))));
const only = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const named = (kind: string, name: string) => {
  const found = only(kind).find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const deployments = only('Deployment');
const pods = [...deployments, ...only('Job')].map(
  ({ metadata, spec }) => [metadata.name, spec.template] as const,
);

/** Unknown, missing and mistyped fields: the compiler's opinion of each manifest as a literal of its kind's type. */
function typeErrors(all: readonly Manifest[]): string[] {
  const file = path.join(root, 'test/deployment-files.generated.ts');
  const lines = all.map(({ apiVersion, kind, ...rest }, i) => {
    const type = `import('kubernetes-models/${apiVersion}').I${kind}`;
    return `export const manifest${i}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })};`;
  });
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, language, ...more) =>
    name === file
      ? ts.createSourceFile(name, lines.join('\n'), language)
      : readSource(name, language, ...more);
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (name) => name === file || fileExists(name);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('the manifests for Kubernetes', () => {
  it('fit the schemas of their kinds, without an unknown field', () => {
    expect(manifests.length).toBeGreaterThan(12);
    expect(typeErrors(manifests)).toEqual([]);
  });

  it('with a misspelled, a missing or a mistyped field do not fit them', () => {
    const changed = (edit: (pod: PodTemplate['spec']) => void): Manifest => {
      const copy = structuredClone(named('Deployment', 'gateway-api'));
      edit(copy.spec.template.spec);
      return copy;
    };
    const errors = typeErrors([
      changed((pod) => Object.assign(pod, { enableServiceLink: false })),
      changed((pod) => Reflect.deleteProperty(pod, 'containers')),
      changed((pod) => Object.assign(pod, { terminationGracePeriodSeconds: '40' })),
    ]);
    expect(errors).toEqual([
      expect.stringContaining(`'"enableServiceLink"' does not exist`),
      expect.stringContaining(`'"containers"' is missing`),
      expect.stringContaining("'string' is not assignable to type 'number'"),
    ]);
  });

  const rendering = hasKubectl || process.env['CI'] ? it : it.skip;
  rendering.each([KUBERNETES, `${KUBERNETES}/migrate`])(
    `are rendered from %s by kubectl${hasKubectl ? '' : ' (skipped: no kubectl here; apt-get install kubernetes-client)'}`,
    (folder) => {
      const sorted = (all: readonly Manifest[]) =>
        all.toSorted((a, b) => `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`));
      expect(sorted(rendered(folder))).toEqual(sorted(listed(folder)));
    },
  );

  it('run one process for each role, of the same image and with the same settings', () => {
    const roles = deployments.map(({ metadata, spec }) => {
      const { labels } = spec.template.metadata;
      const [container] = spec.template.spec.containers;
      const role = container?.env?.find(({ name }) => name === 'ROLE')?.value;
      expect([metadata.name, labels['app.kubernetes.io/component']]).toEqual([`gateway-${role}`, role]);
      expect(container?.envFrom).toEqual([
        { configMapRef: { name: 'gateway' } },
        { secretRef: { name: 'gateway' } },
      ]);
      return role;
    });
    expect(new Set(roles)).toEqual(new Set(['api', 'watcher', 'worker']));
    expect(new Set(pods.map(([, { spec }]) => spec.containers[0]?.image)).size).toBe(1);
  });

  it.each(pods)('let %s write nothing but /tmp and be no one but the image’s user', (_name, { spec }) => {
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '64Mi' } }],
    });
    for (const { securityContext, resources } of spec.containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    }
  });

  it.each(deployments.map(({ metadata, spec }) => [metadata.name, spec.template] as const))(
    'ask %s whether it has started, lives and is ready, and give it the time to stop',
    (_name, { spec }) => {
      const [container] = spec.containers;
      const paths = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe].map(
        (probe) => probe?.httpGet.path,
      );
      expect(paths).toEqual(['/api/health/live', '/api/health/live', '/api/health/ready']);
      expect(spec.terminationGracePeriodSeconds).toBe(40);
      // Noticed within the five seconds for which a process goes on serving after SIGTERM.
      const { periodSeconds = 0, failureThreshold = 0 } = container?.readinessProbe ?? {};
      expect(periodSeconds * failureThreshold).toBeLessThan(5);
    },
  );

  it('name settings that the configuration declares, and no secret', () => {
    const { data = {} } = named('ConfigMap', 'gateway');
    const names = pods.flatMap(([, { spec }]) =>
      spec.containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
    );
    expect([...Object.keys(data), ...names].filter((name) => !isConfigurationKey(name))).toEqual([]);
    expect(
      Object.keys(data).filter((name) => /KEY|SECRET|PASSWORD|TOKEN|DATABASE_URL|RPC_URL/.test(name)),
    ).toEqual([]);
    expect(only('Secret')).toEqual([]);
  });

  it('give the password of the schema’s owner to the migration alone', () => {
    const [container] = named('Job', 'gateway-migrate').spec.template.spec.containers;
    const references = container?.env?.map(({ name, valueFrom }) => [name, valueFrom?.secretKeyRef]);
    expect(references).toEqual([
      ['APP_KEYS', { name: 'gateway', key: 'APP_KEYS' }],
      ['DATABASE_URL', { name: 'gateway', key: 'DATABASE_URL' }],
      ['DATABASE_MIGRATION_URL', { name: 'gateway-migrator', key: 'DATABASE_MIGRATION_URL' }],
    ]);
    expect(container?.command).toEqual(['node', 'dist/src/cli.js', 'migrate']);
    expect(JSON.stringify(deployments)).not.toContain('gateway-migrator');
  });

  it('select the pods that they mean', () => {
    const labelsOf = (name: string) => named('Deployment', name).spec.template.metadata.labels;
    for (const { metadata, spec } of deployments)
      expect(spec.selector.matchLabels).toEqual(labelsOf(metadata.name));
    for (const { metadata, spec } of only('PodDisruptionBudget'))
      expect(spec.selector.matchLabels).toEqual(labelsOf(metadata.name));
    expect(
      only('PodDisruptionBudget')
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    ).toEqual(deployments.map(({ metadata }) => metadata.name).toSorted());
    expect(named('Service', 'gateway').spec.selector).toEqual(labelsOf('gateway-api'));
    for (const { spec } of only('HorizontalPodAutoscaler')) {
      const { name } = spec['scaleTargetRef'] as { name: string };
      // Two would fight for the number.
      expect(named('Deployment', name).spec['replicas'] === undefined || name === 'gateway-worker').toBe(
        true,
      );
    }
  });

  it('scale by metrics that the gateway has', () => {
    const names = [...JSON.stringify(only('HorizontalPodAutoscaler')).matchAll(/"(gateway_\w+)"/g)];
    expect(names.length).toBeGreaterThan(0);
    const sources = readdirSync(path.join(root, 'src/operations/metrics'))
      .map((file) => read(path.join('src/operations/metrics', file)))
      .join('\n');
    for (const [, name] of names) expect(sources).toContain(`'${name}'`);
  });
});

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
