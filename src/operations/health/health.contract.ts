import { Contract } from '../../platform/web/contract/contract.js';
import { Choice, Constant, FieldOf, Nested } from '../../platform/web/contract/fields.js';

const RESULTS = ['ok', 'failed'] as const;
export type CheckResult = (typeof RESULTS)[number];

@Contract('Liveness', 'The process responds.')
export class LivenessContract {
  @Constant('ok', { about: 'Always ok.' })
  status: 'ok';

  @FieldOf({ schema: () => ({ type: 'object' }) }, { about: 'Nothing is checked.', example: {} })
  checks: object;
}

@Contract('ReadinessChecks', 'What was checked.')
export class ReadinessChecksContract {
  @Choice(RESULTS, { about: 'The database responds.' })
  database: CheckResult;

  @Choice(RESULTS, { about: 'It accepts writes: its disk is not full, and it is not read-only.' })
  writes: CheckResult;

  @Choice(RESULTS, { about: 'All migrations of this version have been applied.' })
  migrations: CheckResult;

  @Choice(RESULTS, { about: 'The process is not about to stop.' })
  accepting: CheckResult;
}

@Contract('Readiness', 'Whether this process can serve requests.')
export class ReadinessContract {
  @Choice(['ok', 'unavailable'], { about: '`ok` when every check is.' })
  status: 'ok' | 'unavailable';

  @Nested(() => ReadinessChecksContract)
  checks: ReadinessChecksContract;
}
