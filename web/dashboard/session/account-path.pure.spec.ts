import { accountOf, baseOf } from './account-path.pure.js';

const ID = '0190f6a0-0000-7000-8000-000000000000';

it.each<[string, string | null]>([
  ['/dashboard', null],
  ['/dashboard/accounts', null],
  ['/dashboard/accounts/', null],
  ['/dashboard/payments/accounts/x', null],
  ['/accounts/x', null],
  ['/dashboard/accounts/a%2Fb/payments', null],
  ['/dashboard/accounts/a.b', null],
  [baseOf(ID), ID],
  [`${baseOf(ID)}/`, ID],
  [`${baseOf(ID)}/applications/x/wallets`, ID],
])('%s names the account %s', (pathname, expected) => {
  expect(accountOf(pathname)).toBe(expected);
});
