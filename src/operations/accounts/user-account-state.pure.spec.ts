import { erasedAddress } from '../../identity/oauth/people/user-state.pure.js';
import { accountStateOf } from './user-account-state.pure.js';

const ID = '019a1c2e-5b7d-7c3a-9e41-2f6d8b0a4c11';
const EMAIL = 'shop@example.com';
const DISABLED = new Date('2026-01-15T10:00:00Z');

describe('accountStateOf', () => {
  it.each([
    ['active', EMAIL, null, true],
    ['disabled', EMAIL, DISABLED, true],
    ['erased', erasedAddress(ID), DISABLED, true],
    ['active', erasedAddress(ID), null, true],
    ['changed', EMAIL, null, false],
    ['changed', EMAIL, DISABLED, false],
    ['changed', erasedAddress(ID), DISABLED, false],
  ])('is %s with the address %s, disabled at %p, authentic: %p', (state, email, disabledAt, isAuthentic) => {
    expect(accountStateOf({ id: ID, email, disabledAt, isAuthentic })).toBe(state);
  });
});
