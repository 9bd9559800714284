// Whether all languages of web/messages/, and of web/messages/dashboard/, say the same: the keys of en.json in the same order, the same placeholders in
// each message, plurals with the categories of the language; whether every key is used in src/ or web/; and whether all
// messages of a language use the words and the form of address of its web/glossary/ (scripts/glossary.mjs).
//   node scripts/check-messages.mjs
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { glossaryProblems } from './glossary.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Pages that the gateway writes, and the dashboard; where the keys of each can occur. */
const FOLDERS = [
  { folder: 'web/messages', users: ['src', 'web'], pages: 'customer' },
  { folder: 'web/messages/dashboard', users: ['web/dashboard'], pages: 'dashboard' },
];
const problems = [];
const { LOCALES } = await import('../src/platform/kernel/i18n/locale.pure.ts');

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

/** The text of all sources of some folders. */
async function sourcesOf(folders) {
  const texts = [];
  for (const folder of folders)
    for (const name of await readdir(path.join(ROOT, folder), { recursive: true }))
      if (/(?<!\.spec)\.tsx?$/.test(name) && !name.startsWith('build'))
        texts.push(await readFile(path.join(ROOT, folder, name), 'utf8'));
  return texts.join('\n');
}

const glossaryOf = async (locale) =>
  JSON.parse(await readFile(path.join(ROOT, 'web/glossary', `${locale}.json`), 'utf8'));

async function check({ folder, users, pages }) {
  const read = async (file) => JSON.parse(await readFile(path.join(ROOT, folder, file), 'utf8'));
  const english = await read('en.json');
  const words = await glossaryOf('en');
  const keys = Object.keys(english);
  if (keys.join() !== keys.toSorted().join())
    problems.push(`${folder}/en.json: the keys are not in alphabetical order`);
  const files = (await readdir(path.join(ROOT, folder))).filter((file) => file.endsWith('.json'));
  for (const file of files) {
    const locale = path.basename(file, '.json');
    const name = `${folder}/${file}`;
    const messages = await read(file);
    for (const key of keys) if (!(key in messages)) problems.push(`${name} ${key}: missing`);
    for (const key of Object.keys(messages))
      if (!(key in english)) problems.push(`${name} ${key}: not in en.json`);
    const glossary = await glossaryOf(locale);
    for (const term of Object.keys(words.terms))
      if (!glossary.terms[term]) problems.push(`web/glossary/${file}: lacks the term "${term}"`);
    const needed = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    for (const [key, message] of Object.entries(messages)) {
      if (!(key in english)) continue;
      for (const problem of glossaryProblems({
        glossary,
        english: words,
        pages,
        key,
        message,
        source: english[key],
      }))
        problems.push(`${name} ${key}: ${problem}`);
      const { placeholders, categories } = inspect(name, key, message);
      const wanted = inspect(`${folder}/en.json`, key, english[key]).placeholders;
      for (const one of wanted) if (!placeholders.has(one)) problems.push(`${name} ${key}: lacks {${one}}`);
      for (const one of placeholders) if (!wanted.has(one)) problems.push(`${name} ${key}: invents {${one}}`);
      for (const options of categories)
        for (const category of needed)
          // Only numbers with a fraction are "many" in these languages, or millions; "other" is right for those.
          if (!options.includes(category) && category !== 'many')
            problems.push(`${name} ${key}: lacks the plural "${category}"`);
    }
  }
  const code = await sourcesOf(users);
  for (const key of keys)
    if (!code.includes(`'${key}'`) && !code.includes(`"${key}"`))
      problems.push(`${folder}/en.json ${key}: not used`);
  for (const locale of LOCALES)
    if (!files.includes(`${locale}.json`)) problems.push(`${folder}/${locale}.json: missing`);
  return `${folder}: ${files.length} languages, ${keys.length} messages\n`;
}

for (const folder of FOLDERS) process.stdout.write(await check(folder));
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${problems.length} problems\n`);
if (problems.length > 0) process.exitCode = 1;
