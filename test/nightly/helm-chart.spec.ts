import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isConfigurationKey } from '../../src/config.js';
import { canRender, Chart, hasHelm, manifestsByHelm, metadata, type Values } from '../support/helm/chart.js';
import { type Manifest, type PodTemplate, Rendered, selects } from '../support/helm/rendered.js';
import { typeErrors } from '../support/helm/manifest-types.js';
import { DIGEST, FULL, REQUIRED } from '../support/helm/values.js';

const skipped = canRender
  ? ''
  : ' (skipped: no Go with Sprig here; apt-get install golang-go golang-github-masterminds-sprig-dev golang-k8s-sigs-yaml-dev)';
const rendering = canRender || process.env['CI'] ? describe : describe.skip;

rendering(`the Helm chart, rendered by Helm’s template engine${skipped}`, () => {
  let folder: string;
  let chart: Chart;
  let plain: Rendered;
  let full: Rendered;
  const render = (values: Values) => new Rendered(chart.manifests<Manifest>('gateway', values));

  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'gateway-helm-'));
    chart = Chart.compile(folder);
    plain = render(REQUIRED);
    full = render(FULL);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('fits the schemas of its kinds, without an unknown field', () => {
    expect(plain.manifests.length).toBeGreaterThan(12);
    expect(typeErrors(plain.manifests)).toEqual([]);
    expect(full.manifests.length).toBe(plain.manifests.length + 2);
    expect(typeErrors(full.manifests)).toEqual([]);
  });

  it('with a misspelled, a missing or a mistyped field does not fit them', () => {
    const changed = (edit: (pod: PodTemplate['spec']) => void): Manifest => {
      const copy = structuredClone(plain.named('Deployment', 'gateway-api'));
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

  const comparing = hasHelm ? it : it.skip;
  comparing(`is rendered alike by Helm itself${hasHelm ? '' : ' (skipped: no helm here)'}`, () => {
    const sorted = (all: readonly Manifest[]) =>
      all.toSorted((a, b) => `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`));
    for (const [values, ours] of [
      [REQUIRED, plain],
      [FULL, full],
    ] as const)
      expect(sorted(manifestsByHelm<Manifest>('gateway', values))).toEqual(sorted(ours.manifests));
  });

  it('gives every object the name of the release and the labels of Helm', () => {
    const other = new Rendered(chart.manifests<Manifest>('second', FULL));
    for (const { kind, metadata } of other.manifests) {
      expect(`${kind} ${metadata.name}`).toMatch(/ second(-|$)/);
      expect(metadata.labels['app.kubernetes.io/instance']).toBe('second');
    }
    const keys = plain.manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('runs one process for each role, of the same image and with the same settings', () => {
    const roles = full.deployments.map(({ metadata, spec }) => {
      const { labels } = spec.template.metadata;
      const [container] = spec.template.spec.containers;
      const role = container?.env?.find(({ name }) => name === 'ROLE')?.value;
      expect([metadata.name, labels['app.kubernetes.io/component']]).toEqual([`gateway-${role}`, role]);
      expect(container?.envFrom).toEqual([
        { configMapRef: { name: 'gateway' } },
        { secretRef: { name: 'my-gateway' } },
      ]);
      return role;
    });
    expect(new Set(roles)).toEqual(new Set(['api', 'watcher', 'worker']));
  });

  it.each([
    { what: 'its digest', image: { digest: DIGEST, tag: '1.2.3' }, suffix: `@${DIGEST}` },
    { what: 'its tag', image: { tag: '1.2.3' }, suffix: ':1.2.3' },
    { what: 'the version of the chart', image: {}, suffix: `:${metadata.appVersion}` },
  ])('takes the image by $what', ({ image, suffix }) => {
    const { pods } = render({ ...REQUIRED, image: { ...REQUIRED.image, ...image } });
    expect(pods.map(([, { spec }]) => spec.containers[0]?.image)).toEqual(
      Array.from({ length: 4 }, () => `registry.example.com/gateway${suffix}`),
    );
  });

  it('lets no pod write anything but /tmp or be anyone but the image’s user', () => {
    expect(full.pods).toHaveLength(4);
    for (const [, { spec }] of [...plain.pods, ...full.pods]) {
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
    }
  });

  it('asks each process whether it has started, lives and is ready, and gives it the time to stop', () => {
    for (const { spec } of plain.deployments.map((deployment) => deployment.spec.template)) {
      const [container] = spec.containers;
      const paths = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe].map(
        (probe) => probe?.httpGet.path,
      );
      expect(paths).toEqual(['/api/health/live', '/api/health/live', '/api/health/ready']);
      expect(spec.terminationGracePeriodSeconds).toBe(40);
      // Noticed within the five seconds for which a process goes on serving after SIGTERM.
      const { periodSeconds = 0, failureThreshold = 0 } = container?.readinessProbe ?? {};
      expect(periodSeconds * failureThreshold).toBeLessThan(5);
    }
  });

  it('replaces the pods when a setting changes', () => {
    const checksums = (values: Values) =>
      render(values).deployments.map(({ spec }) => spec.template.metadata.annotations?.['checksum/config']);
    const before = checksums(REQUIRED);
    expect(new Set(before).size).toBe(1);
    expect(checksums(REQUIRED)).toEqual(before);
    expect(checksums({ ...REQUIRED, config: { ...REQUIRED.config, LOG_LEVEL: 'debug' } })).not.toContain(
      before[0],
    );
  });

  it('names settings that the configuration declares, and contains no secret', () => {
    const { data = {} } = full.named('ConfigMap', 'gateway');
    expect(data).toMatchObject({ BASE_URL: 'https://pay.example.com', MAX_CONNECTIONS: '4000' });
    const names = full.pods.flatMap(([, { spec }]) =>
      spec.containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
    );
    expect([...Object.keys(data), ...names].filter((name) => !isConfigurationKey(name))).toEqual([]);
    expect(full.only('Secret')).toEqual([]);
  });

  it('migrates before each release, and gives the password of the schema’s owner to the migration alone', () => {
    const { metadata, spec } = full.named('Job', 'gateway-migrate');
    expect(metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-delete-policy': 'before-hook-creation',
    });
    const [container] = spec.template.spec.containers;
    const references = container?.env?.map(({ name, valueFrom }) => [name, valueFrom?.secretKeyRef]);
    expect(references).toEqual([
      ['APP_KEYS', { name: 'my-gateway', key: 'APP_KEYS' }],
      ['DATABASE_URL', { name: 'my-gateway', key: 'DATABASE_URL' }],
      ['DATABASE_MIGRATION_URL', { name: 'my-migrator', key: 'DATABASE_MIGRATION_URL' }],
    ]);
    expect(container?.command).toEqual(['node', 'dist/src/cli.js', 'migrate']);
    expect(JSON.stringify(full.deployments)).not.toContain('my-migrator');
    // Its own rules are there before it, and those of the running gateway do not select it.
    const policy = full.named('NetworkPolicy', 'gateway-migrate');
    expect(policy.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': '-1',
    });
    expect(selects(policy.spec['podSelector'], spec.template)).toBe(true);
    for (const name of ['gateway-api-ingress', 'gateway-metrics', 'gateway-egress'])
      expect(selects(full.named('NetworkPolicy', name).spec['podSelector'], spec.template)).toBe(false);
  });

  it('selects the pods that it means', () => {
    const templateOf = (name: string) => full.named('Deployment', name).spec.template;
    for (const { metadata, spec } of [...full.deployments, ...full.only('PodDisruptionBudget')])
      for (const [name, pod] of full.pods) expect(selects(spec.selector, pod)).toBe(name === metadata.name);
    expect(
      full
        .only('PodDisruptionBudget')
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    ).toEqual(full.deployments.map(({ metadata }) => metadata.name).toSorted());
    const { selector } = full.named('Service', 'gateway').spec;
    for (const [name, pod] of full.pods)
      expect(selects({ matchLabels: selector }, pod)).toBe(name === 'gateway-api');
    expect(
      selects(
        full.named('NetworkPolicy', 'gateway-egress').spec['podSelector'],
        templateOf('gateway-worker'),
      ),
    ).toBe(true);
  });

  it('leaves the number of pods to an autoscaler where there is one', () => {
    for (const { rendered, scaled } of [
      { rendered: plain, scaled: ['gateway-api'] },
      { rendered: full, scaled: ['gateway-api', 'gateway-worker'] },
    ]) {
      const targets = rendered.only('HorizontalPodAutoscaler').map(({ spec }) => spec['scaleTargetRef']);
      expect(targets).toEqual(scaled.map((name) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name })));
      for (const { metadata, spec } of rendered.deployments)
        expect(spec['replicas'] === undefined).toBe(scaled.includes(metadata.name));
    }
  });

  it('scales by metrics that the gateway has', () => {
    const names = [...JSON.stringify(full.only('HorizontalPodAutoscaler')).matchAll(/"(gateway_\w+)"/g)];
    expect(names.length).toBeGreaterThan(0);
    const folderOfMetrics = path.resolve(import.meta.dirname, '../../src/operations/metrics');
    const sources = readdirSync(folderOfMetrics)
      .map((file) => readFileSync(path.join(folderOfMetrics, file), 'utf8'))
      .join('\n');
    for (const [, name] of names) expect(sources).toContain(`'${name}'`);
  });

  it('leads the host of BASE_URL to the service', () => {
    const [ingress] = full.only('Ingress');
    expect(ingress?.spec).toEqual({
      ingressClassName: 'nginx',
      tls: [{ hosts: ['pay.example.com'], secretName: 'pay-example-com-tls' }],
      rules: [
        {
          host: 'pay.example.com',
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { service: { name: 'gateway', port: { name: 'http' } } },
              },
            ],
          },
        },
      ],
    });
    expect(plain.only('Ingress')).toEqual([]);
  });

  it('lets the gateway reach a database and nodes outside of the cluster where values say so', () => {
    const egress = (rendered: Rendered, name: string) =>
      JSON.stringify(rendered.named('NetworkPolicy', name).spec['egress']);
    for (const name of ['gateway-egress', 'gateway-migrate']) {
      expect(egress(plain, name)).not.toContain('10.20.0.0/24');
      expect(egress(full, name)).toContain('10.20.0.0/24');
    }
    expect(egress(full, 'gateway-egress')).toContain('10.30.0.7/32');
    expect(egress(full, 'gateway-migrate')).not.toContain('10.30.0.7/32');
    const without = render({ ...REQUIRED, networkPolicy: { enabled: false } });
    expect(without.only('NetworkPolicy')).toEqual([]);
  });

  it('puts every pod where values say', () => {
    for (const [, { spec }] of full.pods)
      expect(spec).toMatchObject({
        nodeSelector: { 'kubernetes.io/arch': 'amd64' },
        tolerations: [{ key: 'payments', operator: 'Exists', effect: 'NoSchedule' }],
        imagePullSecrets: [{ name: 'registry' }],
      });
  });

  it('fails to render where a template names a value that does not exist', () => {
    expect(() => chart.render('gateway', { ...REQUIRED, service: null })).toThrow(/port/);
  });

  it('tells after the installation where the gateway is', () => {
    const notes = chart.render('gateway', FULL)['NOTES.txt'] ?? '';
    expect(notes).toContain('https://pay.example.com');
    expect(notes).toContain('service gateway, port 8080: the ingress gateway.');
    expect(notes).toContain('logs deployment/gateway-api');
  });
});
