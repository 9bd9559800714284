import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import type { ScriptType } from '../chains/chain-family.pure.js';
import { withoutWitness } from '../chains/utxo/raw-transaction.pure.js';
import { utxoAddress } from '../chains/utxo/utxo-address.pure.js';
import { stepsOf } from '../wallets/account-path.pure.js';
import {
  feeOf,
  type GatheredInput,
  gatheringWeight,
  MAX_WEIGHT,
  needsPrevious,
  planGathering,
  scriptTypeOf,
  toPsbt,
} from './psbt.pure.js';

const ROOT = HDKey.fromMasterSeed(Buffer.alloc(32, 5));
/** With all that the library's types ask of a signer. */
const SIGNER = ROOT as Parameters<Transaction['sign']>[0];
const ACCOUNT = "m/84'/2'/0'";
const TYPES: ScriptType[] = ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2tr'];
const DESTINATION = scriptOf('p2wpkh', 900);

function keyOf(index: number): Uint8Array {
  const { publicKey } = ROOT.derive(`${ACCOUNT}/0/${index}`);
  if (!publicKey) throw new Error('no key');
  return publicKey;
}
function scriptOf(type: ScriptType, index: number): Buffer {
  return utxoAddress(keyOf(index), 'litecoin', 'regtest', type).key;
}

/** An output of a transaction that is made for it. */
function inputOf(type: ScriptType, index: number, amount = 10_000n): GatheredInput {
  const script = scriptOf(type, index);
  const before = new Transaction({ allowUnknownOutputs: true, disableScriptCheck: true });
  before.addInput({ txid: Buffer.alloc(32, index + 1), index: 0 });
  before.addOutput({ script, amount });
  const { txHash, bytes } = withoutWitness(Buffer.from(before.unsignedTx).toString('hex'));
  return {
    txHash,
    vout: 0,
    amount,
    script,
    publicKey: keyOf(index),
    origin: { fingerprint: ROOT.fingerprint, path: [...stepsOf(ACCOUNT), 0, index] },
    previous: bytes,
  };
}
const inputsOf = (type: ScriptType, count: number, amount = 10_000n) =>
  Array.from({ length: count }, (_none, i) => inputOf(type, i, amount));
const terms = { destination: DESTINATION, feeRate: 2n, dustLimit: 546n };

describe('a PSBT', () => {
  it.each(TYPES)(
    'of %s is signed with the master key by its paths, and is no larger than was said',
    (type) => {
      const plan = planGathering(inputsOf(type, 3), terms);
      const [gathering] = plan.gatherings;
      if (!gathering) throw new Error('nothing is gathered');
      const psbt = Transaction.fromPSBT(
        Buffer.from(toPsbt(gathering.inputs, [{ script: DESTINATION, amount: gathering.amount }]), 'base64'),
      );
      expect(psbt.sign(SIGNER)).toBe(3);
      psbt.finalize();
      expect(psbt.weight).toBeLessThanOrEqual(gathering.weight);
      // A signature may be some bytes shorter.
      expect(psbt.weight).toBeGreaterThan(gathering.weight - 3 * 4 * 4);
      expect(psbt.fee).toBe(gathering.fee);
      expect(psbt.outputsLength).toBe(1);
      expect(psbt.getOutput(0)).toMatchObject({
        amount: 30_000n - gathering.fee,
        script: Uint8Array.from(DESTINATION),
      });
      expect(psbt.getInput(0).sequence).toBe(0xfffffffd);
    },
  );

  it.each(TYPES.filter((type) => type !== 'p2pkh'))('of %s needs no transaction before it', (type) => {
    const input = { ...inputOf(type, 1), previous: null };
    const psbt = Transaction.fromPSBT(
      Buffer.from(toPsbt([input], [{ script: DESTINATION, amount: 1_000n }]), 'base64'),
    );
    expect(psbt.sign(SIGNER)).toBe(1);
    expect(needsPrevious(input.script)).toBe(false);
  });

  const good = inputOf('p2wpkh', 1);
  it.each<[string, GatheredInput[], bigint, string]>([
    ['nothing', [], 1_000n, 'spends something'],
    ['no amount', [good], 0n, 'pays something'],
    ['less than nothing', [good], -1n, 'pays something'],
    [
      'an input without an amount',
      [inputOf('p2wpkh', 2), { ...good, amount: 0n }],
      1_000n,
      'brings something',
    ],
    ['the key of another address', [{ ...good, publicKey: keyOf(2) }], 1_000n, 'not of its key'],
    [
      'p2pkh without the transaction',
      [{ ...inputOf('p2pkh', 1), previous: null }],
      1_000n,
      'not signed without',
    ],
    [
      'another transaction',
      [{ ...inputOf('p2pkh', 1), previous: inputOf('p2pkh', 2).previous }],
      1_000n,
      'txid',
    ],
    ['another amount than in the transaction', [{ ...good, amount: 9_999n }], 1_000n, 'different'],
    ['an output that the transaction does not have', [{ ...good, vout: 1 }], 1_000n, 'index'],
    ['no script of an address', [{ ...good, script: Buffer.of(0x6a) }], 1_000n, 'of an address'],
    ['one output twice', [good, good], 1_000n, 'once'],
    ['more than it spends', [good], 10_000n, 'less than'],
  ])('is not made of %s', (_what, inputs, amount, message) =>
    expect(() => toPsbt(inputs, [{ script: DESTINATION, amount }])).toThrow(message),
  );
});

describe('planGathering', () => {
  it.each<[ScriptType, number]>([
    ['p2pkh', 148],
    ['p2sh-p2wpkh', 91],
    ['p2wpkh', 68],
    ['p2tr', 58],
  ])('leaves out what costs as much as it brings: %s with %d virtual bytes', (type, bytes) => {
    const cost = BigInt(bytes) * 2n;
    const inputs = [inputOf(type, 1, cost), inputOf(type, 2, cost + 1n), inputOf(type, 3, 100_000n)];
    const { gatherings, leftOut } = planGathering(inputs, terms);
    expect(leftOut).toEqual([{ input: inputs[0], reason: 'uneconomic' }]);
    expect(gatherings).toMatchObject([{ inputs: inputs.slice(1) }]);
  });

  it.each<[string, bigint, number, number]>([
    ['below what nodes relay', 545n, 0, 1],
    ['as little as nodes relay', 546n, 1, 0],
  ])('of what leaves %s', (_what, rest, gathered, left) => {
    const fee = feeOf(gatheringWeight('p2wpkh', 1, DESTINATION), 2n);
    const { gatherings, leftOut } = planGathering([inputOf('p2wpkh', 1, fee + rest)], terms);
    expect([gatherings.length, leftOut.length]).toEqual([gathered, left]);
    expect(leftOut.every(({ reason }) => reason === 'too_little')).toBe(true);
  });

  it('keeps every transaction below what nodes relay, and loses none', () => {
    const [first] = [inputOf('p2pkh', 1)];
    const inputs = Array.from({ length: 2_000 }, (_none, vout) => ({
      ...first,
      script: first.script,
      amount: 10_000n,
      vout,
    }));
    const { gatherings, leftOut } = planGathering(inputs, terms);
    expect(gatherings.map(({ inputs: spent }) => spent.length)).toEqual([675, 675, 650]);
    expect(gatherings.every(({ weight }) => weight <= MAX_WEIGHT)).toBe(true);
    expect(gatherings.flatMap(({ inputs: spent }) => spent)).toEqual(inputs);
    expect(leftOut).toEqual([]);
    for (const { amount, fee, weight, inputs: spent } of gatherings) {
      expect(amount + fee).toBe(10_000n * BigInt(spent.length));
      expect(fee).toBe(2n * BigInt(Math.ceil(weight / 4)));
    }
  });

  it('is of nothing without outputs', () =>
    expect(planGathering([], terms)).toEqual({ gatherings: [], leftOut: [] }));

  it.each<[string, GatheredInput[], bigint]>([
    ['two types of addresses', [inputOf('p2wpkh', 1), inputOf('p2tr', 1)], 1n],
    ['another script', [{ ...inputOf('p2wpkh', 1), script: Buffer.of(0x51) }], 1n],
    ['no fee', [inputOf('p2wpkh', 1)], 0n],
  ])('refuses %s', (_what, inputs, feeRate) =>
    expect(() => planGathering(inputs, { ...terms, feeRate })).toThrow(),
  );
});

describe('scriptTypeOf', () => {
  it.each(TYPES)('finds %s', (type) => expect(scriptTypeOf(scriptOf(type, 1))).toBe(type));
  it.each(['', '6a', `0020${'ab'.repeat(32)}`, `0014${'ab'.repeat(19)}`, `5120${'ab'.repeat(31)}`])(
    'finds none in %j',
    (hex) => expect(scriptTypeOf(Buffer.from(hex, 'hex'))).toBeNull(),
  );
});
