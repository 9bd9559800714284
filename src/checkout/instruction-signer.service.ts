import { Injectable } from '@nestjs/common';
import { Keyring } from '../platform/kernel/keyring.js';
import {
  type PublicSigningKey,
  type SigningKey,
  signingKeyOf,
  signStatement,
} from '../platform/kernel/signing-key.pure.js';
import {
  type DepositAddressStatement,
  encodeDepositAddress,
  encodeInstructions,
  type InstructionsStatement,
  type StatementType,
} from './signed-statement.pure.js';

const PURPOSE = 'instruction-signature';
/** Customers poll their instructions, which stay the same until the rate lock ends. */
const MAX_REMEMBERED = 1_000;

/**
 * Signs what customers are asked to pay, with a key derived from each key of APP_KEYS
 * (specification/instructions.md#keys). The database holds no part of these keys.
 */
@Injectable()
export class InstructionSigner {
  /** Newest first. */
  private readonly keys: readonly SigningKey[];
  /** By everything that is signed, so a remembered signature is always that of the current statement. */
  private readonly remembered = new Map<string, string[]>();

  constructor(keyring: Keyring) {
    this.keys = keyring.deriveKeys(PURPOSE).map(signingKeyOf);
  }

  /** Newest first. */
  get publicKeys(): PublicSigningKey[] {
    return this.keys.map((key) => key.public);
  }

  /** One signature by each key, newest first. */
  signInstructions(statement: InstructionsStatement): string[] {
    return this.sign('payment-instructions+jws', encodeInstructions(statement));
  }

  signDepositAddress(statement: DepositAddressStatement): string[] {
    return this.sign('deposit-address+jws', encodeDepositAddress(statement));
  }

  private sign(type: StatementType, statement: string): string[] {
    const known = this.remembered.get(`${type} ${statement}`);
    if (known) return known;
    const signatures = this.keys.map((key) => signStatement(key, type, statement));
    const [oldest] = this.remembered.keys();
    if (oldest !== undefined && this.remembered.size >= MAX_REMEMBERED) this.remembered.delete(oldest);
    this.remembered.set(`${type} ${statement}`, signatures);
    return signatures;
  }
}
