import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { toIsoSeconds } from '../platform/runtime/clock.pure.js';
import { sha256 } from '../platform/security/hmac.pure.js';

/** What instructions promise (specification/instructions.md#instructions-statement). */
export interface InstructionsStatement {
  paymentId: string;
  /** The slug of the chain. */
  chain: string;
  /** EIP-155; null outside of EVM chains. */
  chainId: number | null;
  /** The code of the coin or token. */
  asset: string;
  /** As people see it; null for the native coin. */
  contract: string | null;
  decimals: number;
  address: string;
  memo: string | null;
  /** Smallest unit of the asset. */
  amount: bigint;
  expiresAt: Date;
}

/** That an address belongs to a payment (specification/instructions.md#deposit-address-statement). */
export interface DepositAddressStatement {
  paymentId: string;
  family: string;
  address: string;
}

/** The `typ` of the two kinds, so that one cannot pass for the other (RFC 8725, section 3.11). */
export type StatementType = 'payment-instructions+jws' | 'deposit-address+jws';

/** A public key (RFC 7517, RFC 8037). */
export interface PublicSigningKey {
  kty: 'OKP';
  crv: 'Ed25519';
  /** The 32 bytes of the key, base64url. */
  x: string;
  /** Its thumbprint (RFC 7638). */
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

export interface SigningKey {
  privateKey: KeyObject;
  public: PublicSigningKey;
}

/** DER of a private Ed25519 key up to its 32 bytes (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param seed the 32 bytes of the private key (RFC 8032, section 5.1.5) */
export function signingKeyOf(seed: Buffer): SigningKey {
  if (seed.length !== 32) throw new Error('an Ed25519 seed has 32 bytes');
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (x === undefined) throw new Error('an Ed25519 key without its public half');
  // RFC 7638: the required members in lexicographic order.
  const kid = sha256(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x })).toString('base64url');
  return { privateKey, public: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } };
}

/** The signed bytes: version first, then every field in this order, also if null. */
export function encodeInstructions(statement: InstructionsStatement): string {
  const { paymentId, chain, chainId, asset, contract, decimals, address, memo } = statement;
  return JSON.stringify({
    v: 1,
    paymentId,
    chain,
    chainId,
    asset,
    contract,
    decimals,
    address,
    memo,
    amount: statement.amount.toString(),
    expiresAt: toIsoSeconds(statement.expiresAt),
  });
}

export function encodeDepositAddress({ paymentId, family, address }: DepositAddressStatement): string {
  return JSON.stringify({ v: 1, paymentId, family, address });
}

/** A compact JWS (RFC 7515, section 7.1). Ed25519 is deterministic: the same statement has the same signature. */
export function signStatement(key: SigningKey, type: StatementType, statement: string): string {
  const header = JSON.stringify({ alg: 'EdDSA', typ: type, kid: key.public.kid });
  const input = `${base64url(header)}.${base64url(statement)}`;
  return `${input}.${sign(null, Buffer.from(input), key.privateKey).toString('base64url')}`;
}

function base64url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}
