import type { Paths } from '../openapi-types.js';
import { data, operation } from '../operation.js';
import { list, ref } from '../../platform/contract/json-schema.js';
import { EXAMPLE_CHAIN_REPORT, EXAMPLE_RECONCILIATION } from '../schemas/operator.js';

const tag = 'Operator';

export const operatorPaths: Paths = {
  '/api/admin/chains': {
    get: operation({
      id: 'listChainReports',
      tag,
      summary: 'How the chains are doing',
      description: 'Head, cursor, lag, lease, node, reorgs and halts of every configured chain.',
      access: 'operator',
      answers: {
        200: data('The chains.', list('The chains.', ref('ChainReport')), [EXAMPLE_CHAIN_REPORT]),
      },
    }),
  },
  '/api/admin/reconciliation': {
    get: operation({
      id: 'getReconciliation',
      tag,
      summary: 'Compare the books with the chains',
      description:
        'Recomputes every balance and status now, for at most 45 seconds; the command `verify` has no limit.',
      access: 'operator',
      answers: { 200: data('The report.', ref('Reconciliation'), EXAMPLE_RECONCILIATION) },
    }),
  },
};
