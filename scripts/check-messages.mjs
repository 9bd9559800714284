// Whether all languages of web/messages/ say the same: the keys of en.json in the same order, the same placeholders in
// each message, plurals with the categories of the language; and whether every key is used in src/ or web/.
//   node scripts/check-messages.mjs
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

const ROOT = path.resolve(import.meta.dirname, '..');
const MESSAGES = path.join(ROOT, 'web/messages');
const problems = [];

const read = async (file) => JSON.parse(await readFile(path.join(MESSAGES, file), 'utf8'));

/** Placeholders of a message with their kind, those inside of plurals included, and the categories of its plurals. */
function describe(elements, found = { placeholders: new Set(), categories: [] }) {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    found.placeholders.add(`${element.value} (${TYPE[element.type]})`);
    if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
    const options = Object.entries(element.options);
    if (element.type === TYPE.plural)
      found.categories.push(options.map(([name]) => name).filter((name) => !name.startsWith('=')));
    for (const [, { value }] of options) describe(value, found);
  }
  return found;
}

function inspect(file, key, message) {
  try {
    return describe(parse(message, { ignoreTag: true }));
  } catch (error) {
    problems.push(`${file} ${key}: ${error.message}`);
    return describe([]);
  }
}

const english = await read('en.json');
const keys = Object.keys(english);
if (keys.join() !== keys.toSorted().join()) problems.push('en.json: the keys are not in alphabetical order');

const files = (await readdir(MESSAGES)).filter((file) => file.endsWith('.json'));
for (const file of files) {
  const locale = path.basename(file, '.json');
  const messages = await read(file);
  for (const key of keys) if (!(key in messages)) problems.push(`${file} ${key}: missing`);
  for (const key of Object.keys(messages))
    if (!(key in english)) problems.push(`${file} ${key}: not in en.json`);
  const needed = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  for (const [key, message] of Object.entries(messages)) {
    if (!(key in english)) continue;
    const { placeholders, categories } = inspect(file, key, message);
    const wanted = inspect('en.json', key, english[key]).placeholders;
    for (const name of wanted) if (!placeholders.has(name)) problems.push(`${file} ${key}: lacks {${name}}`);
    for (const name of placeholders)
      if (!wanted.has(name)) problems.push(`${file} ${key}: invents {${name}}`);
    for (const options of categories)
      for (const category of needed)
        // Only numbers with a fraction are "many" in these languages, or millions; "other" is right for those.
        if (!options.includes(category) && category !== 'many')
          problems.push(`${file} ${key}: lacks the plural "${category}"`);
  }
}

/** The text of all sources in which a key can occur. */
async function sources() {
  const texts = [];
  for (const folder of ['src', 'web'])
    for (const name of await readdir(path.join(ROOT, folder), { recursive: true }))
      if (name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.startsWith('build'))
        texts.push(await readFile(path.join(ROOT, folder, name), 'utf8'));
  return texts.join('\n');
}
const code = await sources();
for (const key of keys) if (!code.includes(`'${key}'`)) problems.push(`en.json ${key}: not used`);

const { LOCALES } = await import('../src/platform/i18n/locale.pure.ts');
for (const locale of LOCALES) if (!files.includes(`${locale}.json`)) problems.push(`${locale}.json: missing`);

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${files.length} languages, ${keys.length} messages, ${problems.length} problems\n`);
if (problems.length > 0) process.exitCode = 1;
