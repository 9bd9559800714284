// The entry point `crypto-payment-gateway-client/verify-address`: apart, because it is larger than all the rest.
import {
  type AddressQuestion,
  findAddressOfKey,
  findAddressOfTreasury,
  type TreasuryQuestion,
} from './derivation.js';

export { AddressQuestionError, findAddressOfKey, findAddressOfTreasury } from './derivation.js';
export type {
  AddressFamily,
  AddressQuestion,
  DerivedAddress,
  DerivedDeposit,
  ScriptType,
  TreasuryQuestion,
} from './derivation.js';

/**
 * Whether an address is the one with this index of your own key. Works offline, and believes nothing that the gateway
 * says: false means that money sent there is not yours.
 * @throws AddressQuestionError when key, index or address is not valid
 */
export function isAddressOfKey(question: AddressQuestion): boolean {
  return findAddressOfKey(question) !== null;
}

/**
 * Whether money that is sent to an address can only go to your own treasury. Works offline, and believes nothing that the
 * gateway says. A contract that collects other than the known one is accepted only where you name it yourself.
 * @throws AddressQuestionError when treasury, namespace, index, address or factory is not valid
 */
export function isAddressOfTreasury(question: TreasuryQuestion): boolean {
  return findAddressOfTreasury(question) !== null;
}
