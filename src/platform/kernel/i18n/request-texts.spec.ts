import { languageLinkOf, languageLinkOfRefused } from './request-texts.js';

const SIGNED = { expires: '1768471200', signature: 'ab'.repeat(32) };
const LINK = `?expires=1768471200&signature=${'ab'.repeat(32)}&lang=de`;

describe('links to a page in another language', () => {
  it('keep the rest of the query', () => {
    expect(languageLinkOf({ query: { ...SIGNED, lang: 'en', paid: '1' } })('de')).toBe(
      LINK.replace('&lang', '&paid=1&lang'),
    );
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a signed link', { ...SIGNED, lang: 'en' }, LINK],
    ['another parameter', { ...SIGNED, text: 'call +1 555 0100' }, LINK],
    ['another signature', { ...SIGNED, signature: 'call-us' }, '?expires=1768471200&lang=de'],
    ['a long one', { ...SIGNED, signature: 'a'.repeat(65) }, '?expires=1768471200&lang=de'],
    ['two of them', { signature: ['ab', 'cd'] }, '?lang=de'],
    ['no time', { expires: '"><b>' }, '?lang=de'],
    ['nothing', {}, '?lang=de'],
  ])('of an address that was refused repeat nothing that is not ours: %s', (_what, query, link) => {
    expect(languageLinkOfRefused({ query })('de')).toBe(link);
  });
});
