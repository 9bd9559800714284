import { Choice, Instant } from '../contract/fields.js';

/** Formats of exports: CSV (RFC 4180) and JSON Lines. */
export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The query parameters of every export; those with filters extend it. */
export class ExportQuery {
  @Choice(EXPORT_FORMATS, {
    optional: true,
    about: '`csv` for spreadsheets, `jsonl` for programs: one JSON object a line.',
    default: 'csv',
  })
  format: ExportFormat = 'csv';
}

/** An export of what happened in a span of time. */
export class SpanExportQuery extends ExportQuery {
  @Instant({ optional: true, about: 'At this time or later; with a time zone.' })
  from?: Date;

  @Instant({ optional: true, about: 'At this time or earlier; with a time zone.' })
  to?: Date;
}
