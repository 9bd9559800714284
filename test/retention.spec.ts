import { readFileSync } from 'node:fs';
import path from 'node:path';
import { GRANTS } from '../migrations/grants.js';
import { RETENTION } from './support/retention.js';
import { LoopName } from '../src/platform/kernel/loop-name.pure.js';

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8');
const inSchema = [...read('migrations/schema.sql').matchAll(/^create table (\w+) \(/gm)].map(
  ([, name]) => name ?? '',
);
/** Rows of the table in the document: name, what it grows with, how long rows are kept, without the padding. */
const documented = [...read('docs/how-to/growth.md').matchAll(/^\| `(\w+)` +\| (\w+) +\| (.+?) +\|$/gm)].map(
  ([, name, grows, kept]) => ({ name, grows, kept }),
);

describe('the retention of rows', () => {
  it('is declared for every table of the schema, and for no other', () => {
    expect(inSchema.length).toBeGreaterThan(40);
    expect(Object.keys(RETENTION).toSorted()).toEqual(inSchema.toSorted());
  });

  it('is in the document as it is declared, for every table that grows', () => {
    const declared = Object.entries(RETENTION).flatMap(([name, { grows, kept, loop }]) =>
      grows === 'no' ? [] : [{ name, grows, kept: loop ? `${kept} (\`${loop}\`)` : kept }],
    );
    expect(documented).toEqual(declared);
  });

  it.each(Object.entries(RETENTION).filter(([, { loop }]) => loop !== undefined))(
    'of %s is kept by a loop that exists and may delete',
    (name, { loop }) => {
      expect(Object.values<string>(LoopName)).toContain(loop);
      expect(GRANTS[name]).toMatch(/\bdelete\b/);
    },
  );

  it.each(Object.entries(RETENTION).filter(([, { kept }]) => kept.startsWith('always')))(
    'of %s is kept for ever by the rights of the gateway: it may not delete',
    (name) => {
      expect(GRANTS[name]).not.toMatch(/\bdelete\b/);
    },
  );
});
