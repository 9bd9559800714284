// The resolution hook of record-loads.mjs.
import { appendFileSync } from 'node:fs';

let file;

export function initialize(data) {
  ({ file } = data);
}

export async function resolve(request, context, next) {
  const resolved = await next(request, context);
  const { url, format } = resolved;
  const from = context.parentURL;
  if (from)
    appendFileSync(file, `${JSON.stringify({ kind: 'import', from, request, found: url, format })}\n`);
  return resolved;
}
