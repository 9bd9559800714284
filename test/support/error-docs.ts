import { ERRORS } from '../../src/platform/errors/error-catalog.pure.js';

const INTRODUCTION = `# Errors

<!-- Written by \`npm run docs:errors\` from src/platform/errors/error-catalog.pure.ts; a test compares the two. -->

Every error of the API is JSON in this form:

\`\`\`json
{
  "message": "The name field must be between 3 and 255 characters. (and 1 more error)",
  "code": "validation_failed",
  "errors": {
    "name": ["The name field must be between 3 and 255 characters."],
    "currencyWhitelist.0": ["The selected currencyWhitelist.0 is invalid."]
  },
  "requestId": "5f0c1a52-6a53-4a53-9d5c-0c8b1f0a7e11"
}
\`\`\`

- Decide by \`code\`: it is stable. \`message\` is for people and may change.
- \`errors\` is there where fields are to blame: the reasons by field, \`name.0\` for the first item of a list.
- \`hint\`, where there is one, is a sentence that says how to go on.
- \`requestId\` names the request in our logs; it is also in the \`X-Request-Id\` header of every answer.

**Two exceptions.** The OAuth endpoints below \`/api/oauth\` answer as RFC 6749, section 5.2 says, with \`error\` and \`error_description\`; what passes by waiting (429, 503) is \`temporarily_unavailable\` there, and has \`Retry-After\` and the fields above, too. The hosted checkout page is for people: its errors are pages.

**What to repeat.** 408, 429, 500 and 503 may pass: send the same request again, after \`Retry-After\` seconds where there is such a header, and writes with the same [\`Idempotency-Key\`](reference/idempotency-and-limits.md). Every other status answers the same until something is changed.

## Codes
`;

/** One row a line, columns aligned as the formatter wants them. */
function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[], fill = ' ') =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rule = line(
    head.map(() => '-'),
    '-',
  );
  return [line(head), rule, ...body.map((row) => line(row))].join('\n');
}

/** docs/errors.md, whole. */
export function errorDocs(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, meaning, remedy }]) => [
    String(status),
    `\`${code}\``,
    meaning,
    remedy,
  ]);
  return `${INTRODUCTION}\n${table([['Status', '`code`', 'When', 'What to do'], ...rows])}\n`;
}
