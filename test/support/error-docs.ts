import { ERRORS } from '../../src/platform/kernel/errors/error-catalog.pure.js';

const INTRODUCTION = `# Errors

<!-- Written by \`npm run docs:errors\` from src/platform/kernel/errors/error-catalog.pure.ts; a test compares the two. -->

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
- \`errors\` is present when fields are wrong: the reasons by field, \`name.0\` for the first item of a list.
- \`hint\`, if present, is a sentence that says what to do.
- \`requestId\` identifies the request in the gateway's logs; it is also in the \`X-Request-Id\` header of every response.

**Two exceptions.** The OAuth endpoints below \`/api/oauth\` respond as RFC 6749, section 5.2 requires, with \`error\` and \`error_description\`; temporary failures (429, 503) are \`temporarily_unavailable\` there, and have \`Retry-After\` and the fields above as well. Errors of the hosted checkout page are HTML pages.

**What to retry.** 408, 429, 500 and 503 are temporary: send the same request again, after \`Retry-After\` seconds if there is such a header, and writes with the same [\`Idempotency-Key\`](reference/idempotency-and-limits.md). Every other status stays the same until something is changed.

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
