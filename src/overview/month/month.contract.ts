import { Choice, FieldOf, Uuid } from '../../platform/web/contract/fields.js';
import { rule } from '../../platform/web/contract/rules.js';
import { SHEET_FIELDS } from '../../platform/web/http/export-query.js';

export const MONTH_FORMATS = ['xlsx', 'csv'] as const;
export type MonthFormat = (typeof MONTH_FORMATS)[number];

const MONTH = '^\\d{4}-(0[1-9]|1[0-2])$';

/** Query of GET /api/reports/month (specification/exports.md#a-month). */
export class MonthQuery {
  @FieldOf(
    {
      schema: () => ({ type: 'string', pattern: MONTH }),
      rules: [
        rule('month', (value) =>
          typeof value === 'string' && new RegExp(MONTH).test(value) && value >= '1970'
            ? null
            : 'be a month of the form YYYY-MM, from 1970-01 on, e.g. 2026-11',
        ),
      ],
    },
    { about: 'The month, which must have begun in `timeZone`.', example: '2026-01' },
  )
  month: string;

  @SHEET_FIELDS.timeZone('The time zone (IANA) of the month and of all times in the file.', {
    default: 'UTC',
  })
  timeZone = 'UTC';

  @Choice(MONTH_FORMATS, {
    optional: true,
    about: '`xlsx`: a workbook. `csv`: the same table for the spreadsheets of `locale`.',
    default: 'xlsx',
  })
  format: MonthFormat = 'xlsx';

  @SHEET_FIELDS.locale(
    'The language of the heads of columns, whose spreadsheets can open the file; `en` unless set.',
  )
  locale?: string;

  @Uuid({
    optional: true,
    about: 'Only payments of this application; an unknown one has none.',
    example: '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69',
  })
  paymentApplicationId?: string;
}
