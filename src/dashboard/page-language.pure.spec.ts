import { pageLanguage } from './page-language.pure.js';

it.each([
  [undefined, undefined, 'en'],
  [undefined, 'de-AT, en;q=0.8', 'de'],
  ['dashboard_locale=fa', 'de', 'fa'],
  ['a=b; dashboard_locale=pt-BR; c=d', undefined, 'pt-BR'],
  ['dashboard_locale=', 'de', 'de'],
  ['dashboard_locale=xx', 'de', 'de'],
  ['dashboard_locale=../../etc', undefined, 'en'],
  ['x_dashboard_locale=fa', undefined, 'en'],
])('of the cookie %j and Accept-Language %j is %s', (cookie, acceptLanguage, expected) => {
  expect(pageLanguage({ cookie, acceptLanguage })).toBe(expected);
});
