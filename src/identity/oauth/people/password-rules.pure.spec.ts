import { contextWords, foldPassword, passwordProblem } from './password-rules.pure.js';

const COMMON = new Set(['password', 'sunshine', '12345678'].map(foldPassword));
const WORDS = contextWords('pay.acme.example', {
  email: 'ada.lovelace99@analytical-engines.example',
  name: 'Ada King Lovelace',
});

describe('the words of the context', () => {
  it.each<[string, string, { email: string; name: string | null }, string[]]>([
    [
      'come from the address, the name and the host',
      'pay.acme.example',
      { email: 'ada.lovelace99@analytical-engines.example', name: 'Ada King' },
      ['lovelace', 'analytical', 'engines', 'King', 'acme', 'crypto', 'payment', 'gateway'],
    ],
    [
      'are the name of a host without a domain',
      'localhost',
      { email: 'shop@intranet', name: null },
      ['shop', 'intranet', 'localhost', 'crypto', 'payment', 'gateway'],
    ],
    [
      'are not found in an IP address',
      '192.0.2.1',
      { email: 'ops@a.example', name: null },
      ['crypto', 'payment', 'gateway'],
    ],
    [
      'are of any script',
      '192.0.2.1',
      { email: 'ops@a.example', name: 'Жанна Zoë' },
      ['Жанна', 'crypto', 'payment', 'gateway'],
    ],
  ])('%s', (_what, host, user, words) => {
    expect(contextWords(host, user).toSorted()).toEqual(words.toSorted());
  });
});

describe('a new password', () => {
  it.each<[string, string]>([
    ['of other words', 'correct horse battery'],
    ['of 8 characters', 'xkcd-936'],
    ['of 256 characters', 'x'.repeat(256)],
    ['with a common one in it', 'sunshine over the quay'],
    ['with a word of the context in it, beside enough others', 'no lovelace letters today'],
    ['that is random and has a word by chance', 'q8-KingZr71_tVbN'],
    ['that reverses a word', 'ecalevolada'],
  ])('is accepted: %s', (_what, password) => {
    expect(passwordProblem(password, COMMON, WORDS)).toBeNull();
  });

  it.each<[string, string, RegExp]>([
    ['one character too short', '7 chars', /between 8 and 256/],
    ['one character too long', 'x'.repeat(257), /between 8 and 256/],
    ['common', 'sunshine', /most common/],
    ['common, of digits', '12345678', /most common/],
    ['common, in capitals', 'SunShine', /most common/],
    ['common, in full width', 'ｓｕｎｓｈｉｎｅ', /most common/],
    ['common, with signs for letters', 'P@$$w0rd', /most common/],
    ['the name', 'Lovelace', /easy to guess/],
    ['the name and a year', 'Lovelace2026!', /easy to guess/],
    ['the name with signs for letters', 'l0v3l4c3-2026', /easy to guess/],
    ['name and address', 'king.lovelace@analytical', /easy to guess/],
    ['the name, and signs', 'Lovelace!?!?!?!?!?', /easy to guess/],
    ['the name, and a common one', 'lovelace-sunshine', /easy to guess/],
    ['the name, within a common one', 'sunlovelaceshine', /easy to guess/],
    ['the gateway', 'CryptoPaymentGateway1', /easy to guess/],
    ['its host', 'www.acme2026', /easy to guess/],
  ])('is refused: %s', (_what, password, problem) => {
    expect(passwordProblem(password, COMMON, WORDS)).toMatch(problem);
  });
});
