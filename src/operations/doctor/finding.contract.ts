import { Contract } from '../../platform/web/contract/contract.js';
import { Choice, Text } from '../../platform/web/contract/fields.js';

const SEVERITIES = ['ok', 'warning', 'failure'] as const;

@Contract('Finding', 'The result of one check.')
export class FindingContract {
  @Text({ about: 'What was checked.', example: 'gap limits' })
  subject: string;

  @Choice(SEVERITIES, {
    about: '`failure`: money or customers are at risk now. `warning`: it works now, but may fail.',
    example: 'warning',
  })
  severity: (typeof SEVERITIES)[number];

  @Text({
    about: 'One sentence, in English.',
    example: 'TRUSTED_PROXY is no setting; did you mean TRUSTED_PROXIES?',
  })
  found: string;

  @Text({
    nullable: true,
    about: 'The remedy, in English; null if nothing is wrong.',
    example: 'correct the name',
  })
  fix: string | null;
}
