// Runs inside a gateway that starts as usual (`node --import`): writes down what Node makes of every import and require.
import { appendFileSync } from 'node:fs';
import Module, { register } from 'node:module';

const file = process.env.CHAOS_RECORD;
register('./record-hooks.mjs', import.meta.url, { data: { file } });

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  const found = resolve.call(this, request, parent, ...rest);
  if (parent?.filename && found.startsWith('/') && rest[1] === undefined)
    appendFileSync(file, `${JSON.stringify({ kind: 'require', from: parent.filename, request, found })}\n`);
  return found;
};
