import { EMAIL_BOUNDS, normalizeEmail } from './email-address.pure.js';

it.each([
  ['someone@example.test', 'someone@example.test'],
  [' Someone@Example.TEST ', 'someone@example.test'],
  ['a+b@bücher.example', 'a+b@bücher.example'],
  [`${'a'.repeat(64)}@b`, `${'a'.repeat(64)}@b`],
])('takes %j as %j', (text, email) => {
  expect(normalizeEmail(text)).toBe(email);
  expect(text).toMatch(new RegExp(EMAIL_BOUNDS.pattern, 'u'));
});

it.each([
  '',
  'someone',
  '@example.test',
  'someone@',
  'a b@example.test',
  'a@b@c',
  '<a@b>',
  '"a"@b',
  `${'a'.repeat(65)}@b`,
  `a@${'b'.repeat(190)}`,
  'a\u0000@b',
])('refuses %j by the name of the field', (text) => {
  expect(() => normalizeEmail(text)).toThrow('The email field must be a valid email address.');
});
