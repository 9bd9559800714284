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
export interface PodTemplate {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  spec: {
    containers: Container[];
    automountServiceAccountToken: boolean;
    enableServiceLinks: boolean;
    securityContext: Record<string, unknown>;
    terminationGracePeriodSeconds?: number;
  };
}
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  data?: Record<string, string>;
  spec: { template: PodTemplate; selector: { matchLabels: Record<string, string> } } & Record<
    string,
    unknown
  >;
}

/** The objects of one rendering of the chart. */
export class Rendered {
  constructor(readonly manifests: readonly Manifest[]) {}
  only(kind: string): Manifest[] {
    return this.manifests.filter((manifest) => manifest.kind === kind);
  }
  named(kind: string, name: string): Manifest {
    const found = this.only(kind).find(({ metadata }) => metadata.name === name);
    if (!found) throw new Error(`there is no ${kind} ${name}`);
    return found;
  }
  get deployments(): Manifest[] {
    return this.only('Deployment');
  }
  get pods(): (readonly [string, PodTemplate])[] {
    return [...this.deployments, ...this.only('Job')].map(
      ({ metadata, spec }) => [metadata.name, spec.template] as const,
    );
  }
}

/** Whether a selector means this pod. */
export function selects(selector: unknown, { metadata }: PodTemplate): boolean {
  const { matchLabels } = selector as { matchLabels: Record<string, string> };
  return Object.entries(matchLabels).every(([key, value]) => metadata.labels[key] === value);
}
