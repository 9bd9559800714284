/** Why a text is no key that can be used, for whoever says it in another language than ours. */
export type KeyRefusal =
  'secret' | 'form' | 'typo' | 'other-kind' | 'other-network' | 'account' | 'signers' | 'descriptor';

/** The message continues a sentence about the field, and never contains a part of the refused text. */
export class ExtendedKeyError extends Error {
  constructor(
    readonly refusal: KeyRefusal,
    message: string,
  ) {
    super(message);
  }
}

/** By its prefix the key is of another network or coin. Where it may be one of several, others say more about it. */
export class ForeignPrefixError extends ExtendedKeyError {}

export function refused(refusal: KeyRefusal, message: string): ExtendedKeyError {
  return new ExtendedKeyError(refusal, message);
}
