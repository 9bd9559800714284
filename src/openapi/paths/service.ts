import type { Paths } from '../openapi-types.js';
import { data, operation } from '../operation.js';
import { ref } from '../../platform/contract/json-schema.js';

const HEALTH = 'Health';

export const servicePaths: Paths = {
  '/api/health/live': {
    get: operation({
      id: 'getLiveness',
      tag: HEALTH,
      summary: 'Whether the process answers',
      description: 'Asks nothing of anybody; restart the process when it fails.',
      access: 'public',
      answers: { 200: data('It does.', ref('Liveness'), { status: 'ok', checks: {} }) },
    }),
  },
  '/api/health/ready': {
    get: operation({
      id: 'getReadiness',
      tag: HEALTH,
      summary: 'Whether the process can serve requests',
      description: 'Keep traffic away when it cannot. Blockchains and webhooks do not count.',
      access: 'public',
      answers: {
        200: data('It can.', ref('Readiness'), {
          status: 'ok',
          checks: { database: 'ok', migrations: 'ok', accepting: 'ok' },
        }),
        503: data('It cannot.', ref('Readiness'), {
          status: 'unavailable',
          checks: { database: 'failed', migrations: 'failed', accepting: 'ok' },
        }),
      },
    }),
  },
};
