import { p2pkh, p2sh, p2tr, p2wpkh, Transaction } from '@scure/btc-signer';
import type { ScriptType } from '../chains/chain-family.pure.js';
import type { LeftOutReason } from './left-out.pure.js';

/** What a PSBT of one account is made for. */
export interface GatheringTerms {
  /** Output script of the destination. */
  destination: Buffer;
  /** Smallest units for each virtual byte. */
  feeRate: bigint;
  /** Smallest output that nodes relay. */
  dustLimit: bigint;
}

/** An unspent output of an address of the account. */
export interface GatheredInput {
  txHash: string;
  vout: number;
  amount: bigint;
  /** The output script of the address. */
  script: Buffer;
  /** Compressed, 33 bytes. */
  publicKey: Uint8Array;
  /** Where a wallet finds its key: from the key with this fingerprint. Hardened steps have 2^31 added. */
  origin: { fingerprint: number; path: readonly number[] };
  /** The transaction that it is an output of, without witnesses; null: not known. p2pkh is not signed without it. */
  previous: Buffer | null;
}

/** One transaction that spends inputs to one output. */
export interface Gathering<Input> {
  inputs: Input[];
  /** What arrives. */
  amount: bigint;
  fee: bigint;
  /** Upper bound: signatures are as long or shorter. */
  weight: number;
}

export interface GatheringPlan<Input> {
  gatherings: Gathering<Input>[];
  leftOut: { input: Input; reason: LeftOutReason }[];
}

/** Larger transactions are not relayed (Bitcoin Core, policy.h: MAX_STANDARD_TX_WEIGHT). */
export const MAX_WEIGHT = 400_000;
/** Replaceable (BIP125), so that a wallet can raise a fee that was too low. */
const SEQUENCE = 0xfffffffd;
const VERSION = 2;

/**
 * Weight of an input with the longest signature of its type: outpoint and sequence have 40 bytes, an ECDSA signature 72
 * with its type of hash, a Schnorr signature 64, a key 33.
 */
const INPUT_WEIGHTS: Readonly<Record<ScriptType, number>> = {
  p2pkh: 4 * (40 + 1 + 1 + 72 + 1 + 33),
  'p2sh-p2wpkh': 4 * (40 + 1 + 23) + 1 + 1 + 72 + 1 + 33,
  p2wpkh: 4 * (40 + 1) + 1 + 1 + 72 + 1 + 33,
  p2tr: 4 * (40 + 1) + 1 + 1 + 64,
};

/** The type of an output script; null: none of those that the gateway hands out. */
export function scriptTypeOf(script: Buffer): ScriptType | null {
  const hex = script.toString('hex');
  if (/^76a914[0-9a-f]{40}88ac$/.test(hex)) return 'p2pkh';
  if (/^a914[0-9a-f]{40}87$/.test(hex)) return 'p2sh-p2wpkh';
  if (/^0014[0-9a-f]{40}$/.test(hex)) return 'p2wpkh';
  return /^5120[0-9a-f]{64}$/.test(hex) ? 'p2tr' : null;
}

/** Whether a wallet signs the input only with the whole transaction before it (BIP174). */
export function needsPrevious(script: Buffer): boolean {
  return requireType(script) === 'p2pkh';
}

/** Upper bound of a signed transaction with so many inputs and one output. */
export function gatheringWeight(type: ScriptType, inputs: number, destination: Buffer): number {
  return signedWeight(type, inputs, [destination]);
}

/** Upper bound of a signed transaction with so many inputs and these output scripts. */
export function signedWeight(type: ScriptType, inputs: number, outputs: readonly Buffer[]): number {
  const paid = outputs.reduce((sum, script) => sum + 8 + sizeLength(script.length) + script.length, 0);
  const bytes = 4 + sizeLength(inputs) + sizeLength(outputs.length) + paid + 4;
  const marker = type === 'p2pkh' ? 0 : 2;
  return 4 * bytes + marker + inputs * INPUT_WEIGHTS[type];
}

/** Bytes of a compact size. */
const sizeLength = (count: number) => (count < 0xfd ? 1 : count <= 0xffff ? 3 : 5);

/** What an input of this type adds to the fee. */
export function inputFee(type: ScriptType, feeRate: bigint): bigint {
  return feeOf(INPUT_WEIGHTS[type], feeRate);
}

/** Of so much weight, in smallest units: whole virtual bytes (BIP141). */
export function feeOf(weight: number, feeRate: bigint): bigint {
  return BigInt(Math.ceil(weight / 4)) * feeRate;
}

/**
 * Divides outputs of one account, which has one type, into transactions that nodes relay. What costs as much to spend as
 * it brings is left out, and so is a rest that would not be worth an output.
 * @param maxWeight of one transaction
 */
export function planGathering<Input extends { script: Buffer; amount: bigint }>(
  inputs: readonly Input[],
  { destination, feeRate, dustLimit }: GatheringTerms,
  maxWeight = MAX_WEIGHT,
): GatheringPlan<Input> {
  if (feeRate < 1n) throw new Error('a fee rate is at least 1');
  const plan: GatheringPlan<Input> = { gatherings: [], leftOut: [] };
  const [first] = inputs;
  if (!first) return plan;
  const type = requireType(first.script);
  if (inputs.some(({ script }) => requireType(script) !== type))
    throw new Error('an account has one type of addresses');
  const cost = inputFee(type, feeRate);
  let spent: Input[] = [];
  const finish = () => {
    const weight = gatheringWeight(type, spent.length, destination);
    const fee = feeOf(weight, feeRate);
    const amount = spent.reduce((sum, input) => sum + input.amount, 0n) - fee;
    if (amount >= dustLimit) plan.gatherings.push({ inputs: spent, amount, fee, weight });
    else plan.leftOut.push(...spent.map((input) => ({ input, reason: 'too_little' as const })));
    spent = [];
  };
  for (const input of inputs) {
    if (input.amount <= cost) {
      plan.leftOut.push({ input, reason: 'uneconomic' });
      continue;
    }
    if (spent.length > 0 && gatheringWeight(type, spent.length + 1, destination) > maxWeight) finish();
    spent.push(input);
  }
  if (spent.length > 0) finish();
  return plan;
}

/** What a transaction pays. */
export interface PaidOutput {
  script: Buffer;
  amount: bigint;
}

/**
 * The unsigned transaction in base64 (BIP174, version 0: what all wallets with PSBT read).
 * @throws Error when an input is not of its key, or its previous transaction is another one or missing
 */
export function toPsbt(inputs: readonly GatheredInput[], outputs: readonly PaidOutput[]): string {
  if (inputs.length === 0) throw new Error('a PSBT spends something');
  if (outputs.length === 0 || outputs.some(({ amount }) => amount <= 0n))
    throw new Error('a PSBT pays something');
  const paid = outputs.reduce((sum, { amount }) => sum + amount, 0n);
  if (paid >= inputs.reduce((sum, input) => sum + input.amount, 0n))
    throw new Error('a PSBT pays less than it spends');
  if (new Set(inputs.map(({ txHash, vout }) => `${txHash}:${vout}`)).size < inputs.length)
    throw new Error('a PSBT spends an output once');
  const transaction = new Transaction({
    version: VERSION,
    PSBTVersion: 0,
    // Any address may receive, also of a witness version that has no meaning yet.
    allowUnknownOutputs: true,
  });
  for (const input of inputs) transaction.addInput(toInput(input));
  for (const output of outputs) transaction.addOutput(output);
  return Buffer.from(transaction.toPSBT(0)).toString('base64');
}

function toInput({ txHash, vout, amount, script, publicKey, origin, previous }: GatheredInput) {
  const type = requireType(script);
  if (amount <= 0n) throw new Error('an input brings something');
  const payment = paymentOf(type, publicKey);
  if (!script.equals(payment.script)) throw new Error(`${txHash}:${vout} is not of its key`);
  if (type === 'p2pkh' && previous === null)
    throw new Error(`${txHash}:${vout} is not signed without ${txHash}`);
  const derivation = { fingerprint: origin.fingerprint, path: [...origin.path] };
  return {
    txid: txHash,
    index: vout,
    sequence: SEQUENCE,
    // BIP174: signers of the first witnesses check the amount by it; BIP371: Schnorr signatures are of the amount.
    ...(previous !== null && type !== 'p2tr' && { nonWitnessUtxo: previous }),
    ...(type !== 'p2pkh' && { witnessUtxo: { script, amount } }),
    ...(payment.redeemScript && { redeemScript: payment.redeemScript }),
    ...(type === 'p2tr'
      ? {
          tapInternalKey: publicKey.slice(1),
          tapBip32Derivation: [[publicKey.slice(1), { hashes: [], der: derivation }]] as [
            Uint8Array,
            { hashes: Uint8Array[]; der: typeof derivation },
          ][],
        }
      : { bip32Derivation: [[publicKey, derivation]] as [Uint8Array, typeof derivation][] }),
  };
}

function paymentOf(
  type: ScriptType,
  publicKey: Uint8Array,
): { script: Uint8Array; redeemScript?: Uint8Array } {
  switch (type) {
    case 'p2pkh':
      return p2pkh(publicKey);
    case 'p2sh-p2wpkh':
      return p2sh(p2wpkh(publicKey));
    case 'p2wpkh':
      return p2wpkh(publicKey);
    case 'p2tr':
      return { script: p2tr(publicKey.slice(1)).script };
  }
}

function requireType(script: Buffer): ScriptType {
  const type = scriptTypeOf(script);
  if (type === null) throw new Error('an input is of an address of an account');
  return type;
}
