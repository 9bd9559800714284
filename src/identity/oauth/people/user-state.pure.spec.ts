import { erasedAddress, isErased } from './user-state.pure.js';

const ID = '019a1c2e-5b7d-7c3a-9e41-2f6d8b0a4c11';
const OTHER = '019a1c2e-5b7d-7c3a-9e41-2f6d8b0a4c12';
const DISABLED = new Date('2026-01-15T10:00:00Z');

describe('isErased', () => {
  it.each([
    ['a disabled user with the address of an erased one', erasedAddress(ID), DISABLED, true],
    ['a user who chose that address and can sign in', erasedAddress(ID), null, false],
    ['the address of another erased user', erasedAddress(OTHER), DISABLED, false],
    ['a disabled user with an address', 'someone@example.com', DISABLED, false],
  ])('%s', (_what, email, disabledAt, expected) => {
    expect(isErased({ id: ID, email, disabledAt })).toBe(expected);
  });
});
