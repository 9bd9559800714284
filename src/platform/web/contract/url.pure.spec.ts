import { readdirSync, readFileSync } from 'node:fs';
import { canParseUrl } from './url.pure.js';

describe('canParseUrl', () => {
  it('is still right about a name in German when it has been called very often', () => {
    const wrong = Array.from({ length: 100_000 }, (_, i) => `https://bücher.example/${i}`).filter(
      (text) => !canParseUrl(text),
    );
    expect(wrong).toEqual([]);
  });

  it('refuses what is no address', () => {
    expect(['', 'a', '//a', 'https://', 'https://a b'].filter(canParseUrl)).toEqual([]);
  });

  it('stands in place of URL.canParse everywhere', () => {
    const sources = ['src', 'sdk/src'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    );
    const asking = sources.filter(
      (file) => /(?<!spec)\.ts$/.test(file) && readFileSync(file, 'utf8').includes('URL.canParse('),
    );
    expect(asking).toEqual([]);
  });
});
