import type { Values } from './chart.js';

export const DIGEST = `sha256:${'a1'.repeat(32)}`;
/** What has no default. */
export const REQUIRED = {
  image: { repository: 'registry.example.com/gateway' },
  config: { BASE_URL: 'https://pay.example.com', TRUSTED_PROXIES: '10.42.3.0/24' },
};
/** Everything on that is off. */
export const FULL: Values = {
  image: { ...REQUIRED.image, digest: DIGEST, pullPolicy: 'Always' },
  imagePullSecrets: [{ name: 'registry' }],
  config: { ...REQUIRED.config, LOG_LEVEL: 'debug', MAX_CONNECTIONS: '4000' },
  secrets: { gateway: 'my-gateway', migrator: 'my-migrator' },
  worker: { autoscaling: { enabled: true, pendingDeliveries: '500' } },
  service: { port: 8080 },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
    tlsSecret: 'pay-example-com-tls',
  },
  networkPolicy: {
    databaseCidrs: ['10.20.0.0/24'],
    extraEgress: [{ to: [{ ipBlock: { cidr: '10.30.0.7/32' } }], ports: [{ protocol: 'TCP', port: 8545 }] }],
  },
  podAnnotations: { 'example.com/team': 'payments' },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'payments', operator: 'Exists', effect: 'NoSchedule' }],
};
