import type { AccountRole } from '../api/operations.js';
import { isAllowed, roleFor } from './roles.pure.js';

it.each<[AccountRole | undefined, string, boolean]>([
  ['owner', 'putWallet', true],
  ['owner', 'createRefund', true],
  ['developer', 'createRefund', true],
  ['developer', 'putWallet', false],
  ['developer', 'deletePaymentApplication', false],
  ['developer', 'listInvitations', false],
  ['viewer', 'createRefund', false],
  ['viewer', 'listPaymentOverview', true],
  // About the person, whatever the account.
  ['viewer', 'saveViews', true],
  ['viewer', 'leaveAccount', true],
  // The operator's rights are those of a user, not of a role.
  ['viewer', 'resumeChain', true],
  [undefined, 'createRefund', false],
])('as %s, %s: %s', (role, id, expected) => {
  expect(isAllowed(role, id)).toBe(expected);
});

it('takes the role of a viewer for what the document names no other for', () => {
  expect(roleFor('exportPayments')).toBe('viewer');
});
