// What a glossary of web/glossary/ finds in messages: words that its language does not use for a term, the other
// form of address, terms that a sentence leaves out, and faults of writing. Checked by scripts/check-messages.mjs.

/** Where a word ends: beside a letter or a mark of one, there is none. */
const BEFORE = '(?<![\\p{L}\\p{M}])';
const AFTER = '(?![\\p{L}\\p{M}])';

/**
 * The pattern of a word as a glossary writes it: `cartera*` are all words that begin so, `*wallet` all that end so. In
 * languages without spaces between words ("joined"), the text may stand anywhere.
 */
function patternOf(word, isJoined) {
  const literal = word.replace(/^\*|\*$/g, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const before = isJoined || word.startsWith('*') ? '' : BEFORE;
  const after = isJoined || word.endsWith('*') ? '' : AFTER;
  return new RegExp(before + literal + after, 'iu');
}

/** What is read of a message: without the names of placeholders, and of the cases of plurals. */
const readable = (message) =>
  message
    .replace(/\{\w+\}/g, '{}')
    .replace(/\{\w+, (plural|select),/g, '{')
    .replace(/(^|[\s{}])(zero|one|two|few|many|other|yes|=\d) ?\{/g, '$1{');

/** Of a term, what holds on the given pages: the dashboard may have another word, which it then uses alone. */
const termOn = (pages, term) => (pages === 'dashboard' && term.dashboard ? term.dashboard : term);

/**
 * @param {{glossary: object, english: object, pages: 'customer' | 'dashboard', key: string, message: string, source: string}} one
 * `english` is the glossary of English, `source` the message in English
 * @returns {string[]} what is wrong, in words
 */
export function glossaryProblems({ glossary, english, pages, key, message, source }) {
  const joined = glossary.joined === true;
  const text = readable(message);
  const has = (word) => patternOf(word, joined).test(text);
  const problems = [];
  for (const [name, whole] of Object.entries(glossary.terms)) {
    const term = termOn(pages, whole);
    for (const word of term.not ?? [])
      if (has(word)) problems.push(`says "${word}" for ${name}: the word is "${term.word}"`);
    const needed = english.terms[name];
    if (!needed?.always || needed.except?.includes(key) || has(term.word) || (term.forms ?? []).some(has))
      continue;
    if ([needed.word, ...needed.forms].some((word) => patternOf(word, false).test(readable(source))))
      problems.push(`leaves ${name} out: the word is "${term.word}"`);
  }
  for (const word of glossary.address?.wrong ?? [])
    if (has(word) && !glossary.address.except?.includes(key))
      problems.push(`says "${word}", and the form of address is "${glossary.address.form}"`);
  for (const rule of glossary.writing ?? [])
    if ((rule.pages ?? pages) === pages && new RegExp(rule.wrong, 'u').test(text)) problems.push(rule.why);
  return problems;
}
