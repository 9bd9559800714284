import { LazyJsonArray } from '../lazy-json-array.js';
import { isObject, parseJson } from '../json-rpc-wire.js';

/**
 * A response with lists of receipts, one or a batch, whose logs are left unparsed where the text allows it: each list of
 * logs is then a {@link LazyJsonArray}. Hardly any log is needed, and they are nearly all of the text.
 */
export function parseReceipts(text: string): unknown {
  const cut = LazyJsonArray.cutAll(text, '"logs":[');
  if (!cut) return parseJson(text);
  const body = parseJson(cut.rest);
  for (const reply of Array.isArray(body) ? (body as unknown[]) : [body]) {
    const result = isObject(reply) ? reply['result'] : null;
    for (const receipt of Array.isArray(result) ? (result as unknown[]) : [result])
      if (isObject(receipt)) receipt['logs'] = putBack(receipt['logs'], cut.lists);
  }
  return body;
}

/** The list whose place is marked by its number. */
function putBack(logs: unknown, lists: readonly LazyJsonArray[]): unknown {
  const [mark] = Array.isArray(logs) ? (logs as unknown[]) : [];
  return typeof mark === 'number' ? lists[mark] : logs;
}
