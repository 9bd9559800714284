import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../platform/kernel/hmac.pure.js';

/** Number of codes in a set. */
export const RECOVERY_CODES = 10;
/** Crockford's base 32: no I, L, O and U, which are misread or spell words. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 120 bits of entropy, so that a fast hash is as safe as a slow one. */
const CODE_LENGTH = 24;
/** Codes that were made before have 80 bits. */
const EARLIER_LENGTH = 16;
const CODE = new RegExp(`^(?:[${ALPHABET}]{${CODE_LENGTH}}|[${ALPHABET}]{${EARLIER_LENGTH}})$`);
const TOTP_CODE = /^\d{6}$/;
/** A code of an authenticator app as {@link readTypedCode} takes it, for the document. */
export const WRONG_CODE = 'The code is not correct or was used before.';
export const TYPED_TOTP_PATTERN = '^[\\s-]*([0-9][\\s-]*){6}$';

/** What a user entered as the second factor. */
export type TypedCode = { kind: 'totp' | 'recovery'; code: string };

/** A new set in the displayed form, `0000-0000-0000-0000-0000-0000`. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(newRecoveryCode());
  return [...codes];
}

function newRecoveryCode(): string {
  // 32 divides 256, so every character is equally likely.
  const characters = Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length));
  return characters.join('').replace(/.{4}(?=.)/g, '$&-');
}

/** Normalizes what was typed: spaces, dashes, case and look-alike letters do not matter. Null if it is no code. */
export function readTypedCode(text: string): TypedCode | null {
  const compact = text.replace(/[\s-]/g, '').toUpperCase();
  if (TOTP_CODE.test(compact)) return { kind: 'totp', code: compact };
  const code = compact.replace(/O/g, '0').replace(/[IL]/g, '1');
  return CODE.test(code) ? { kind: 'recovery', code } : null;
}

/** The stored hash of a code that {@link readTypedCode} returned. The user's id makes it useless for other users. */
export function recoveryCodeHash(userId: string, code: string): Buffer {
  return sha256(`recovery-code|${userId}|${code}`);
}
