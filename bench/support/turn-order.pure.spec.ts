import { type Side, TurnOrder } from './turn-order.pure.js';

/** Two sides that measure a number of times each; returns who did, in order. */
function runOf(turns: readonly [number, number]): string {
  const order = new TurnOrder();
  const left = [...turns];
  const measured: Side[] = [];
  let mayMeasure: Side | null = null;
  const wait = (side: Side) => {
    if (left[side] === 0) order.rest(side);
    else order.wait(side, () => (mayMeasure = side));
  };
  wait(0);
  wait(1);
  while (mayMeasure !== null) {
    const side: Side = mayMeasure;
    mayMeasure = null;
    measured.push(side);
    left[side] = (left[side] ?? 0) - 1;
    order.pass(side);
    wait(side);
  }
  return measured.map((side) => 'AB'[side]).join('');
}

describe('two sides', () => {
  it.each([
    ['are first in turn', [4, 4], 'ABBAABBA'],
    ['go on alone when the other has ended', [4, 1], 'ABAAA'],
    ['go on alone when the other never began', [0, 2], 'BB'],
    ['need not measure at all', [0, 0], ''],
  ] as const)('%s', (_, turns, expected) => {
    expect(runOf(turns)).toBe(expected);
  });

  /** An order, and who has begun in it so far. */
  function started() {
    const order = new TurnOrder();
    const begun: string[] = [];
    const wait = (side: Side) => order.wait(side, () => begun.push(side === 0 ? 'A' : 'B'));
    return { order, begun, wait };
  }

  it('begin only when both wait', () => {
    const { order, begun, wait } = started();
    wait(1);
    expect(begun).toEqual([]);
    wait(0);
    expect(begun).toEqual(['A']);
    order.pass(0);
    expect(begun).toEqual(['A']);
    wait(0);
    expect(begun).toEqual(['A', 'B']);
  });

  it('lose their turn by resting in it', () => {
    const { order, begun, wait } = started();
    wait(0);
    wait(1);
    order.rest(0);
    expect(begun).toEqual(['A', 'B']);
  });

  it('get no turn that they waited for before they rested', () => {
    const { order, begun, wait } = started();
    wait(0);
    order.rest(0);
    wait(1);
    expect(begun).toEqual(['B']);
  });

  it('wait for one that has rested, once it resumes', () => {
    const { order, begun, wait } = started();
    order.rest(0);
    wait(1);
    order.resume(0);
    order.pass(1);
    wait(1);
    expect(begun).toEqual(['B']);
    wait(0);
    expect(begun).toEqual(['B', 'B']);
  });

  it('cannot end the turn of the other', () => {
    const { order, begun, wait } = started();
    wait(0);
    wait(1);
    order.pass(1);
    expect(begun).toEqual(['A']);
  });
});
