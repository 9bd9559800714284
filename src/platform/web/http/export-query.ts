import { ValidationError } from '../../kernel/errors/errors.pure.js';
import { findLocale, LOCALES, type Locale } from '../../kernel/i18n/locale.pure.js';
import { type SheetFormat, sheetFormatOf } from '../../kernel/sheet-format.pure.js';
import { isTimeZone, TIME_ZONE_FORM } from '../../kernel/zone-days.pure.js';
import { Choice, FieldOf, Instant } from '../contract/fields.js';
import { rule } from '../contract/rules.js';

/** Formats of exports: CSV (RFC 4180), JSON Lines and Office Open XML. */
export const EXPORT_FORMATS = ['csv', 'jsonl', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
/** What is read by programs. */
export type ProgramFormat = Exclude<ExportFormat, 'xlsx'>;

/** How a file for people is written. */
export interface SheetForm {
  format: 'csv' | 'xlsx';
  /** Of the heads of columns. */
  language: Locale;
  numbers: SheetFormat;
  timeZone: string;
}

const DEFAULT_LANGUAGE = 'en';

/** A language, and what spreadsheets of it write; also what reports have. */
export const SHEET_FIELDS = {
  locale: (about: string) =>
    FieldOf(
      {
        schema: () => ({ type: 'string', minLength: 2, maxLength: 12 }),
        rules: [
          rule('locale', (value) =>
            typeof value === 'string' && sheetFormatOf(value) !== null && findLocale(value) !== null
              ? null
              : `be a language tag (RFC 5646), with a script and a region or without, of one of these languages: ${LOCALES.join(', ')}`,
          ),
        ],
      },
      { optional: true, about, example: 'de-AT' },
    ),
  timeZone: (about: string, unset: { default?: string } = {}) =>
    FieldOf(
      {
        schema: () => ({ type: 'string', pattern: TIME_ZONE_FORM.source, minLength: 1, maxLength: 64 }),
        rules: [
          rule('timeZone', (value) =>
            typeof value === 'string' && isTimeZone(value)
              ? null
              : 'be the name of a time zone (IANA), e.g. Europe/Berlin',
          ),
        ],
      },
      { optional: true, about, ...unset },
    ),
};

/** The query parameters of every export; those with filters extend it. */
export class ExportQuery {
  @Choice(EXPORT_FORMATS, {
    optional: true,
    about:
      '`xlsx` is a workbook, and so for people; `csv` is for programs, and with `locale` for the spreadsheets of people; ' +
      '`jsonl` is for programs: one JSON object a line.',
    default: 'csv',
  })
  format: ExportFormat = 'csv';

  @SHEET_FIELDS.locale(
    'The language of the heads of columns, whose spreadsheets can open the file: separator, decimal mark and dates. ' +
      'Makes `csv` a file for people, oldest first. `en` unless set with `xlsx`.',
  )
  locale?: string;

  @SHEET_FIELDS.timeZone('The time zone (IANA) of the dates in a file for people; `UTC` unless set.')
  timeZone?: string;
}

/** An export of what happened in a span of time. */
export class SpanExportQuery extends ExportQuery {
  @Instant({ optional: true, about: 'At this time or later; with a time zone.' })
  from?: Date;

  @Instant({ optional: true, about: 'At this time or earlier; with a time zone.' })
  to?: Date;
}

/** @throws ValidationError for what only files for people have */
export function sheetFormOf({ format, locale, timeZone }: ExportQuery): SheetForm | null {
  if (format === 'xlsx' || (format === 'csv' && locale !== undefined))
    return sheetForm({ format, locale, timeZone });
  if (locale !== undefined)
    throw ValidationError.of(
      'locale',
      'The locale field is of files for people: csv and xlsx. JSON Lines is the same in every language.',
    );
  if (timeZone !== undefined)
    throw ValidationError.of(
      'timeZone',
      'The timeZone field is of files for people: xlsx, and csv with a locale. Those for programs have UTC.',
    );
  return null;
}

/** @param locale checked by {@link SHEET_FIELDS} */
export function sheetForm({
  format,
  locale = DEFAULT_LANGUAGE,
  timeZone = 'UTC',
}: {
  format: 'csv' | 'xlsx';
  locale?: string | undefined;
  timeZone?: string | undefined;
}): SheetForm {
  const numbers = sheetFormatOf(locale);
  const language = findLocale(locale);
  if (!numbers || !language) throw new Error(`${locale} was not checked`);
  return { format, language, numbers, timeZone };
}

/** @throws ValidationError for a span that ends before it begins */
export function checkSpan(from: Date | undefined, to: Date | undefined, names: [string, string]): void {
  if (from && to && from > to)
    throw ValidationError.of(names[0], `The ${names[0]} field must not be after ${names[1]}.`);
}
