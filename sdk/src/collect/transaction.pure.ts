import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeRlp, type RlpItem, rlpNumber } from '../../../src/chains/evm/rlp.pure.js';
import type { FeeCap } from '../../../src/collections/keyed/signing-needs.pure.js';

export interface Transfer {
  chainId: bigint;
  nonce: bigint;
  gasLimit: bigint;
  cap: FeeCap;
  to: string;
  value: bigint;
  data: Uint8Array;
}

/** What a node takes, and the name that it has on the chain. */
export interface Signed {
  raw: string;
  hash: string;
}

const MARKET_TYPE = 2;
/** transfer(address,uint256) (EIP-20). */
const TRANSFER = 'a9059cbb';

export function transferCall(to: string, amount: bigint): Uint8Array {
  const word = (digits: string) => digits.padStart(64, '0');
  return Buffer.from(`${TRANSFER}${word(to.slice(2))}${word(amount.toString(16))}`, 'hex');
}

/** EIP-1559 where there is a tip, otherwise EIP-155. The signature follows from key and transaction (RFC 6979). */
export function signTransfer(transfer: Transfer, privateKey: Uint8Array): Signed {
  const { chainId, cap } = transfer;
  if (cap.tip === null) {
    const fields = fieldsOf(transfer, [cap.price]);
    const { parity, r, s } = sign(
      encodeRlp([...fields, rlpNumber(chainId), rlpNumber(0), rlpNumber(0)]),
      privateKey,
    );
    return signedOf(
      encodeRlp([...fields, rlpNumber(chainId * 2n + 35n + BigInt(parity)), rlpNumber(r), rlpNumber(s)]),
    );
  }
  const fields = [rlpNumber(chainId), ...fieldsOf(transfer, [cap.tip, cap.price]), []];
  const { parity, r, s } = sign(typed(fields), privateKey);
  return signedOf(typed([...fields, rlpNumber(parity), rlpNumber(r), rlpNumber(s)]));
}

function fieldsOf({ nonce, gasLimit, to, value, data }: Transfer, prices: readonly bigint[]): RlpItem[] {
  return [
    rlpNumber(nonce),
    ...prices.map(rlpNumber),
    rlpNumber(gasLimit),
    Buffer.from(to.slice(2), 'hex'),
    rlpNumber(value),
    data,
  ];
}

/** EIP-2718. */
const typed = (fields: readonly RlpItem[]) => Buffer.concat([Buffer.of(MARKET_TYPE), encodeRlp(fields)]);

function sign(message: Uint8Array, privateKey: Uint8Array): { parity: number; r: bigint; s: bigint } {
  const bytes = secp256k1.sign(keccak_256(message), privateKey, { prehash: false, format: 'recovered' });
  const { recovery = 0, r, s } = secp256k1.Signature.fromBytes(bytes, 'recovered');
  return { parity: recovery, r, s };
}

function signedOf(bytes: Uint8Array): Signed {
  return {
    raw: `0x${Buffer.from(bytes).toString('hex')}`,
    hash: `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`,
  };
}
