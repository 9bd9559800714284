import { readdirSync, readFileSync } from 'node:fs';

/* Every 429 says which limit it is of: it is made by rate-limit.pure.ts alone, and the docs have each by its name. */

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file, text: readFileSync(`src/${file}`, 'utf8') }));

it('a 429 is made by the one engine', () => {
  const makes = /new (TooManyRequestsError|\w+\(\s*'too_many_requests')|status\(429\)|statusCode = 429/;
  const makers = sources.filter(({ text }) => makes.test(text)).map(({ file }) => file);
  expect(makers).toEqual(['platform/web/rate-limiting/rate-limit.pure.ts']);
});

it('the docs name every limit', () => {
  const made =
    /(?:minutely|evenly|buckets|refusalAtOnce)\(\s*'([a-z-]+)'|\bname(?: =|:)[^;{}]*?'([a-z-]+)', quota/g;
  const names = sources.flatMap(({ text }) => [...text.matchAll(made)].map(([, one, other]) => one ?? other));
  const table = readFileSync('docs/reference/idempotency-and-limits.md', 'utf8');
  expect(names.length).toBeGreaterThan(15);
  // Refuses nothing: it delays refusals.
  const limits = names.filter((name) => name !== 'refusals');
  expect(limits.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});
