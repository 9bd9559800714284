import { parseEvmAddress } from '../../chains/evm/evm-address.pure.js';
import { AddressQuestionError } from '../account-addresses.pure.js';
import { depositAddressOf, depositSaltOf, readTreasury, TreasuryError } from './treasury-address.pure.js';

/** Is this the deposit address with this index of my treasury? */
export interface TreasuryQuestion {
  /** The address of the account or the Safe that all payments end up at. */
  treasury: string;
  /** 32 hexadecimal digits, as the gateway shows them beside the treasury. */
  namespace: string;
  index: number;
  address: string;
  /** Of one's own contract that collects; without it, only the known one is accepted. */
  factory?: string;
}

/** How the deposit address is computed. */
export interface DerivedDeposit {
  treasury: string;
  factory: string;
  /** 0x and 64 hexadecimal digits: what the contract that collects is given. */
  salt: string;
  /** With its checksum. */
  address: string;
}

/**
 * Computes the address again and compares it. Null: it is not the address with this index of this treasury, so money
 * that is sent there does not reach it.
 * @throws AddressQuestionError
 */
export function findAddressOfTreasury(question: TreasuryQuestion): DerivedDeposit | null {
  const asked = parseEvmAddress(question.address.trim());
  if (!asked) throw new AddressQuestionError('address: is mistyped, or not an address of evm');
  try {
    const treasury = readTreasury(question);
    const { key, address } = depositAddressOf(treasury, question.index);
    if (!asked.equals(key)) return null;
    const salt = Buffer.from(depositSaltOf(treasury.namespace, question.index)).toString('hex');
    return { treasury: treasury.address, factory: treasury.factory, salt: `0x${salt}`, address };
  } catch (error) {
    if (error instanceof TreasuryError) throw new AddressQuestionError(error.message);
    throw error;
  }
}
