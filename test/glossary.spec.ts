import { glossaryProblems, type Glossary } from '../scripts/glossary.mjs';

const english: Glossary = {
  terms: {
    phrase: { word: 'recovery phrase', forms: ['recovery phrases'], always: true, except: ['app.name'] },
    wallet: { word: 'wallet' },
  },
};
const german: Glossary = {
  address: { form: 'Sie', wrong: ['du', 'dein*'], except: ['quote'] },
  writing: [{ wrong: '! ', why: 'shouts', pages: 'customer' }],
  terms: {
    phrase: { word: 'Wiederherstellungsphrase', forms: ['*phrasen'], not: ['Wiederherstellungsw*'] },
    wallet: { word: 'Wallet', not: ['*börse'], dashboard: { word: 'Geldbörse', not: ['Wallet'] } },
  },
};
const japanese: Glossary = {
  joined: true,
  terms: { phrase: { word: 'リカバリーフレーズ', not: ['復元用'] }, wallet: { word: 'ウォレット' } },
};

const problemsOf = (message: string, changes: Partial<Parameters<typeof glossaryProblems>[0]> = {}) =>
  glossaryProblems({
    glossary: german,
    english,
    pages: 'customer',
    key: 'key',
    message,
    source: 'Text',
    ...changes,
  });
const PHRASE = { source: 'Never enter a recovery phrase.' };

describe('a glossary', () => {
  it.each<[string, string, Partial<Parameters<typeof glossaryProblems>[0]>]>([
    ['the word', 'Nie die Wiederherstellungsphrase in die Wallet', PHRASE],
    ['a form with another beginning', 'Keine Seedphrasen', PHRASE],
    ['nothing of the term', 'Fertig', {}],
    ['the name of a placeholder', '{du} hat {n, plural, one {# Zahlung} other {# Zahlungen}}', {}],
    ['a word that only begins like the other address', 'Durch die Wallet, Dublin, Individuum', {}],
    ['the other address where it is meant', 'Dein Zitat', { key: 'quote' }],
    ['the word of the dashboard', 'Geldbörse', { pages: 'dashboard' }],
    ['writing that is wrong on other pages only', 'Los! Jetzt', { pages: 'dashboard' }],
    ['a term left out where it stands for something else', 'Seed Builder', { ...PHRASE, key: 'app.name' }],
    ['a word without spaces around it', '秘密のリカバリーフレーズを', { ...PHRASE, glossary: japanese }],
  ])('lets %s pass', (_what, message, changes) => {
    expect(problemsOf(message, changes)).toEqual([]);
  });

  it.each<[string, string, string, Partial<Parameters<typeof glossaryProblems>[0]>]>([
    ['another word', 'Die Geldbörse', 'says "*börse" for wallet: the word is "Wallet"', {}],
    ['another word, in capitals', 'DIE GELDBÖRSE', 'says "*börse" for wallet: the word is "Wallet"', {}],
    [
      'the word of the other pages',
      'Die Wallet',
      'says "Wallet" for wallet: the word is "Geldbörse"',
      { pages: 'dashboard' },
    ],
    ['the other address', 'Wenn du', 'says "du", and the form of address is "Sie"', {}],
    ['the other address, bent', 'Mit deiner', 'says "dein*", and the form of address is "Sie"', {}],
    [
      'the other address, inside a plural',
      '{n, plural, one {dein Geld} other {Geld}}',
      'says "dein*", and the form of address is "Sie"',
      {},
    ],
    ['a term left out', 'Nie den Seed', 'leaves phrase out: the word is "Wiederherstellungsphrase"', PHRASE],
    [
      'a word among others without spaces',
      '秘密鍵や復元用の単語',
      'says "復元用" for phrase: the word is "リカバリーフレーズ"',
      { glossary: japanese },
    ],
    ['wrong writing', 'Los! Jetzt', 'shouts', {}],
  ])('finds %s', (_what, message, problem, changes) => {
    expect(problemsOf(message, changes)).toEqual([problem]);
  });
});
