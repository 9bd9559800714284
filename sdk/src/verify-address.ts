// The entry point `crypto-payment-gateway-client/verify-address`: apart, because it is larger than all the rest.
import { type AddressQuestion, findAddressOfKey } from './derivation.js';

export { AddressQuestionError, findAddressOfKey } from './derivation.js';
export type { AddressFamily, AddressQuestion, DerivedAddress, ScriptType } from './derivation.js';

/**
 * Whether an address is the one with this index of your own key. Works offline, and believes nothing that the gateway
 * says: false means that money sent there is not yours.
 * @throws AddressQuestionError when key, index or address is not valid
 */
export function isAddressOfKey(question: AddressQuestion): boolean {
  return findAddressOfKey(question) !== null;
}
