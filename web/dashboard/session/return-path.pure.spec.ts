import { safeReturnPath } from './return-path.pure.js';

it.each([
  [null, '/dashboard'],
  ['', '/dashboard'],
  ['/dashboard', '/dashboard'],
  ['/dashboard/payments?status=OPEN&search=a%20b', '/dashboard/payments?status=OPEN&search=a%20b'],
  [
    '/dashboard/payments/0190f6a0-0000-7000-8000-000000000000',
    '/dashboard/payments/0190f6a0-0000-7000-8000-000000000000',
  ],
  ['/dashboard/applications/7d7f3f0a/wallets', '/dashboard/applications/7d7f3f0a/wallets'],
  [
    '/dashboard/accounts/0190f6a0/applications/7d7f3f0a/wallets',
    '/dashboard/accounts/0190f6a0/applications/7d7f3f0a/wallets',
  ],
  ['/dashboard/a/b/c/d/e/f', '/dashboard'],
  ['/dashboard/callback?code=1', '/dashboard'],
  ['//evil.example/dashboard', '/dashboard'],
  ['https://evil.example/dashboard', '/dashboard'],
  ['/dashboard/../api/oauth/sign-out', '/dashboard'],
  ['/dashboardevil', '/dashboard'],
  ['/dashboard\\evil', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
])('%s leads to %s', (path, safe) => {
  expect(safeReturnPath(path)).toBe(safe);
});
