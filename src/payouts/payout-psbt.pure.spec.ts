import { feeOf, inputFee, signedWeight } from '../collections/psbt.pure.js';
import { planPayout } from './payout-psbt.pure.js';

const CHANGE = Buffer.from(`0014${'cc'.repeat(20)}`, 'hex');
const CUSTOMER = Buffer.from(`0014${'aa'.repeat(20)}`, 'hex');
const terms = { change: CHANGE, feeRate: 2n, dustLimit: 546n };

const output = (amount: bigint, vout = 0) => ({
  script: Buffer.from(`0014${'0b'.repeat(20)}`, 'hex'),
  txHash: 'ab'.repeat(32),
  vout,
  amount,
});
const pays = (...amounts: bigint[]) => amounts.map((amount) => ({ script: CUSTOMER, amount }));
/** Of so many inputs and outputs. */
const fee = (inputs: number, outputs: number) =>
  feeOf(
    signedWeight(
      'p2wpkh',
      inputs,
      Array.from({ length: outputs }, () => CUSTOMER),
    ),
    2n,
  );

describe('a payout of outputs of one account', () => {
  it('takes the largest outputs, as few as pay everything and the fee', () => {
    const outputs = [output(10_000n, 1), output(50_000n, 2), output(30_000n, 3)];
    const plan = planPayout(outputs, pays(20_000n, 20_000n), terms);
    expect(plan).toMatchObject({
      missing: null,
      inputs: [{ vout: 2 }],
      paid: 40_000n,
      fee: fee(1, 3),
      change: 10_000n - fee(1, 3),
    });
  });

  it.each([
    ['one unit less than is needed', fee(1, 1) - 1n, 1n],
    ['nothing but the payment', 0n, fee(1, 1)],
  ])('says what is missing with %s', (_name, more, missing) => {
    expect(planPayout([output(40_000n + more)], pays(40_000n), terms)).toEqual({ missing });
  });

  it.each([
    ['exactly what is needed', fee(1, 1), 0n],
    ['a change that nobody relays', fee(1, 2) + 545n, 0n],
    ['the smallest change', fee(1, 2) + 546n, 546n],
  ])('pays exactly with %s', (_name, more, change) => {
    const plan = planPayout([output(40_000n + more)], pays(40_000n), terms);
    expect(plan).toMatchObject({ missing: null, paid: 40_000n, change, fee: more - change });
  });

  it('never spends what costs as much as it brings', () => {
    const worthless = inputFee('p2wpkh', 2n);
    const outputs = Array.from({ length: 500 }, (_none, i) => output(worthless, i));
    expect(planPayout(outputs, pays(1_000n), terms)).toEqual({ missing: 1_000n + fee(0, 1) });
    const [first, ...others] = outputs;
    expect(first).toBeDefined();
    expect(planPayout([output(2_000n, 999), ...others], pays(1_000n), terms)).toMatchObject({
      inputs: [{ vout: 999 }],
    });
  });

  it('is no larger than nodes relay', () => {
    const outputs = Array.from({ length: 100 }, (_none, i) => output(1_000n, i));
    const most = signedWeight('p2wpkh', 50, [CUSTOMER, CHANGE]);
    const plan = planPayout(outputs, pays(80_000n), terms, most);
    expect(plan).toEqual({ missing: 80_000n + fee(50, 1) - 50_000n });
  });

  it('lacks everything where there is nothing', () => {
    expect(planPayout([], pays(1_000n, 2_000n), terms)).toEqual({ missing: 3_000n });
  });

  it('is the same however its outputs are listed', () => {
    const outputs = [output(9_000n, 2), output(9_000n, 1), output(9_000n, 3)];
    const plan = planPayout(outputs, pays(10_000n), terms);
    expect(plan).toMatchObject({ inputs: [{ vout: 1 }, { vout: 2 }] });
    expect(planPayout(outputs.toReversed(), pays(10_000n), terms)).toEqual(plan);
  });
});
