import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import { readCallTraces, readParityTraces } from './evm-traces.js';

const BLOCK = `0x${'b0'.repeat(32)}`;
const TX = `0x${'a1'.repeat(32)}`;
const OTHER_TX = `0x${'a2'.repeat(32)}`;
const SENDER = `0x${'01'.repeat(20)}`;
const CONTRACT = `0x${'02'.repeat(20)}`;
const US = `0x${'03'.repeat(20)}`;
const block = { hash: BLOCK, transactionHashes: [TX] };

interface Row {
  type?: string;
  path?: number[];
  error?: string;
  callType?: string;
  from?: string;
  to?: string;
  value?: string;
  blockHash?: string;
  transactionHash?: string;
}

function row({
  type = 'call',
  path = [],
  error,
  callType = 'call',
  from = SENDER,
  to = US,
  value = '0x5',
  ...rest
}: Row = {}) {
  const actions: Record<string, object> = {
    call: { callType, from, to, value },
    create: { from, value, init: '0x' },
    suicide: { address: from, refundAddress: to, balance: value },
    reward: { author: to, value, rewardType: 'block' },
  };
  return {
    type,
    action: actions[type] ?? {},
    result: error ? null : { address: to, output: '0x' },
    ...(error && { error }),
    traceAddress: path,
    blockHash: BLOCK,
    transactionHash: TX,
    ...rest,
  };
}

/** The transaction's own frame, without a value, so that every transaction has one. */
const root = row({ to: CONTRACT, value: '0x0' });
const read = (...rows: object[]) =>
  readParityTraces(rows, block).map(({ path, to, amount }) => ({ path, to, amount }));

describe('readParityTraces credits', () => {
  it.each<[string, object[], { path: number[]; to: string; amount: bigint }[]]>([
    ['the transaction’s own value', [row()], [{ path: [], to: US, amount: 5n }]],
    [
      'what a contract pays on',
      [root, row({ path: [0], from: CONTRACT }), row({ path: [1], from: CONTRACT, value: '0x7' })],
      [
        { path: [0], to: US, amount: 5n },
        { path: [1], to: US, amount: 7n },
      ],
    ],
    ['a value given at creation', [row({ type: 'create' })], [{ path: [], to: US, amount: 5n }]],
    ['a selfdestruct', [root, row({ type: 'suicide', path: [0] })], [{ path: [0], to: US, amount: 5n }]],
    ['nothing of a failed transaction', [row({ error: 'Reverted' })], []],
    ['nothing below a failed transaction', [row({ error: 'Reverted' }), row({ path: [0] })], []],
    [
      'nothing below a failed frame, however deep',
      [
        root,
        row({ path: [1], error: 'Reverted', value: '0x0' }),
        row({ path: [1, 0] }),
        row({ path: [1, 0, 2] }),
      ],
      [],
    ],
    [
      'what stands beside a failed frame, also where the number begins alike',
      [root, row({ path: [1], error: 'Reverted' }), row({ path: [10] }), row({ path: [0, 1] })],
      [
        { path: [10], to: US, amount: 5n },
        { path: [0, 1], to: US, amount: 5n },
      ],
    ],
    ['nothing for a delegated call', [root, row({ path: [0], callType: 'delegatecall' })], []],
    ['nothing for a static call', [root, row({ path: [0], callType: 'staticcall' })], []],
    ['nothing for a callcode', [root, row({ path: [0], callType: 'callcode' })], []],
    ['nothing for a value of zero', [row({ value: '0x0' })], []],
    ['nothing to oneself', [row({ from: US })], []],
    ['nothing for a block reward', [root, row({ type: 'reward' })], []],
  ])('%s', (_what, rows, expected) => {
    expect(read(...rows)).toEqual(expected);
  });
});

/** A contract that ends in the transaction that created it takes along what it is paid afterwards (EIP-6780). */
describe('what a contract is paid after its end', () => {
  const created = row({ type: 'create', path: [0], from: CONTRACT, to: US, value: '0x0' });
  const ended = row({ type: 'suicide', path: [0, 1], from: US, to: SENDER, value: '0x3' });
  const paid = (...path: number[]) => row({ path, from: CONTRACT });
  const toSender = { path: [0, 1], to: SENDER, amount: 3n };
  const credit = (...path: number[]) => ({ path, to: US, amount: 5n });

  it.each<[string, object[], { path: number[]; to: string; amount: bigint }[]]>([
    ['is lost', [root, created, ended, paid(1)], [toSender]],
    [
      'is lost in calls however deep, and in any order of the rows',
      [paid(2, 0, 1), ended, created, root],
      [toSender],
    ],
    [
      'is lost when another contract ends towards it',
      [root, created, ended, row({ type: 'suicide', path: [10], from: CONTRACT })],
      [toSender],
    ],
    [
      'is not what it was paid before',
      [root, paid(0), { ...created, traceAddress: [1] }, { ...ended, traceAddress: [1, 2] }],
      [credit(0), { ...toSender, path: [1, 2] }],
    ],
    [
      'is not what it was created with',
      [root, { ...created, action: { from: CONTRACT, value: '0x5', init: '0x' } }, ended],
      [credit(0), toSender],
    ],
    [
      'is not what comes within its constructor before',
      [root, created, paid(0, 0), ended],
      [credit(0, 0), toSender],
    ],
    [
      'is kept when its end was reverted',
      [
        root,
        row({ path: [0], error: 'Reverted' }),
        { ...created, traceAddress: [0, 0] },
        { ...ended, traceAddress: [0, 0, 0] },
        paid(1),
      ],
      [credit(1)],
    ],
    ['is kept by a contract that is older', [root, ended, paid(1)], [toSender, credit(1)]],
    [
      'is nothing to others',
      [root, created, ended, row({ path: [1], to: CONTRACT, from: SENDER })],
      [toSender, { path: [1], to: CONTRACT, amount: 5n }],
    ],
    [
      'is lost from its first end on',
      [root, created, ended, paid(1), { ...ended, traceAddress: [2] }],
      [toSender, { ...toSender, path: [2] }],
    ],
  ])('%s', (_what, rows, expected) => {
    const byPath = (moves: { path: number[] }[]) =>
      moves.toSorted((a, b) => a.path.join().localeCompare(b.path.join()));
    expect(byPath(read(...rows))).toEqual(byPath(expected));
  });

  it('is lost by the tracer of calls, too', () => {
    const end = { type: 'SELFDESTRUCT', from: US, to: SENDER, value: '0x0' };
    const result = {
      type: 'CALL',
      from: SENDER,
      to: CONTRACT,
      value: '0x0',
      calls: [
        { type: 'CALL', from: CONTRACT, to: US, value: '0x1' },
        { type: 'CREATE2', from: CONTRACT, to: US, value: '0x0', calls: [end] },
        { type: 'CALL', from: CONTRACT, to: US, value: '0x2' },
      ],
    };
    expect(readCallTraces([{ txHash: TX, result }], block).map(({ amount }) => amount)).toEqual([1n]);
  });
});

describe('readParityTraces rejects', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['an object', {}],
    ['a row that is not an object', [root, 5]],
    ['a row of another block', [root, row({ path: [0], blockHash: `0x${'b1'.repeat(32)}` })]],
    ['a reward of another block', [root, row({ type: 'reward', blockHash: `0x${'b1'.repeat(32)}` })]],
    ['a row of a transaction outside the block', [root, row({ transactionHash: OTHER_TX })]],
    ['a transaction without a trace', []],
    ['a transaction without its own frame', [row({ path: [0] })]],
    ['a duplicate frame', [root, row({ path: [0] }), row({ path: [0] })]],
    ['a negative path', [root, row({ path: [-1] })]],
    ['a broken path', [root, row({ path: [0.5] })]],
    [
      'a path deeper than the limit of the EVM',
      [root, row({ path: Array.from({ length: 1_026 }, () => 0) })],
    ],
    ['a negative value', [row({ value: '-0x5' })]],
    ['a value beyond 256 bits', [row({ value: `0x1${'0'.repeat(64)}` })]],
    ['a decimal value', [row({ value: '5' })]],
    ['a missing recipient', [{ ...row(), action: { callType: 'call', from: SENDER, value: '0x5' } }]],
    ['a truncated recipient', [row({ to: '0x1234' })]],
    ['an unknown type', [row({ type: 'gift' })]],
    ['an unknown call type', [row({ callType: 'gift' })]],
    ['an error that is not a string', [{ ...row(), error: {} }]],
  ])('%s', (_what, reply) => {
    expect(() => readParityTraces(reply, block)).toThrow(ChainInconsistencyError);
  });
});

describe('readCallTraces', () => {
  const call = (frame: object) => [
    { txHash: TX, result: { type: 'CALL', from: SENDER, to: US, value: '0x5', ...frame } },
  ];

  it.each<[string, object, { path: number[]; amount: bigint }[]]>([
    ['the transaction’s own value', {}, [{ path: [], amount: 5n }]],
    ['a value given at creation', { type: 'CREATE2' }, [{ path: [], amount: 5n }]],
    ['nothing when the value is absent', { value: undefined }, []],
    ['nothing of a failed transaction', { error: 'execution reverted' }, []],
    [
      'calls inside calls',
      {
        value: '0x0',
        calls: [
          { type: 'STATICCALL', from: SENDER, to: US },
          {
            type: 'DELEGATECALL',
            from: SENDER,
            to: CONTRACT,
            value: '0x9',
            calls: [
              { type: 'CALL', from: CONTRACT, to: US, value: '0x1' },
              { type: 'SELFDESTRUCT', from: CONTRACT, to: US, value: '0x2' },
            ],
          },
        ],
      },
      [
        { path: [1, 0], amount: 1n },
        { path: [1, 1], amount: 2n },
      ],
    ],
    [
      'nothing below a failed frame',
      {
        value: '0x0',
        calls: [
          {
            type: 'CALL',
            from: SENDER,
            to: CONTRACT,
            value: '0x0',
            error: 'execution reverted',
            calls: [{ type: 'CALL', from: CONTRACT, to: US, value: '0x1' }],
          },
        ],
      },
      [],
    ],
  ])('credits %s', (_what, frame, expected) => {
    const moves = readCallTraces(call(frame), block).map(({ path, amount }) => ({ path, amount }));
    expect(moves.toSorted((a, b) => a.path.join().localeCompare(b.path.join()))).toEqual(expected);
  });

  it('matches traces without a transaction hash by position', () => {
    const unnamed = call({}).map(({ result }) => ({ result }));
    expect(readCallTraces(unnamed, block)).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['fewer transactions', []],
    ['more transactions', [...call({}), ...call({})]],
    ['another order', [{ ...call({})[0], txHash: OTHER_TX }]],
    ['an error instead of a result', [{ txHash: TX, error: 'execution timeout' }]],
    ['an unknown type', call({ type: 'GIFT' })],
    ['calls that are not an array', call({ calls: { length: 1 } })],
  ])('rejects %s', (_what, reply) => {
    expect(() => readCallTraces(reply, block)).toThrow(ChainInconsistencyError);
  });

  it('rejects a tree deeper than the limit of the EVM without a stack overflow', () => {
    let frame: object = { type: 'CALL', from: SENDER, to: US, value: '0x1' };
    for (let depth = 0; depth < 100_000; depth++)
      frame = { type: 'CALL', from: SENDER, to: US, value: '0x1', calls: [frame] };
    expect(() => readCallTraces([{ txHash: TX, result: frame }], block)).toThrow(ChainInconsistencyError);
  });
});

describe('ordinals are the same whether or not a node counts calls to precompiles', () => {
  const precompile = (last: string) => `0x${last.padStart(40, '0')}`;
  interface Call {
    type?: string;
    to?: string;
    value?: string;
    error?: string;
    calls?: Call[];
  }
  const pay = (value: string): Call => ({ value });
  /** A call without a value. */
  const idle = (last: string, more: Call = {}): Call => ({ to: precompile(last), value: '0x0', ...more });
  const inner = (...calls: Call[]): Call => ({ to: CONTRACT, value: '0x0', calls });

  const toGeth = ({ type = 'CALL', to = US, calls, ...rest }: Call): object => ({
    type,
    from: SENDER,
    to,
    ...rest,
    ...(calls && { calls: calls.map(toGeth) }),
  });
  /** @param isLeftOut whether a call has neither row nor index */
  const toParity = (call: Call, isLeftOut: (call: Call) => boolean, path: number[] = []): object[] => [
    row({
      path,
      callType: (call.type ?? 'CALL').toLowerCase(),
      to: call.to ?? US,
      value: call.value ?? '0x0',
      ...(call.error !== undefined && { error: call.error }),
    }),
    ...(call.calls ?? [])
      .filter((child) => !isLeftOut(child))
      .flatMap((child, i) => toParity(child, isLeftOut, [...path, i])),
  ];
  const isPrecompiled = ({ to = '' }: Call) => Number(to) < 0x200 && Number(to) > 0;
  const shortest = (moves: readonly { path: number[]; amount: bigint }[]) =>
    moves.map(({ path, amount }) => `${path.join('.')}=${amount}`).toSorted();

  it.each<[string, Call[], string[]]>([
    ['a payment after such a call', [idle('1'), pay('0x5')], ['0=5']],
    ['a payment before such a call', [pay('0x5'), idle('1')], ['0=5']],
    [
      'equal payments between several addresses, each by its own position',
      [idle('4'), pay('0x5'), idle('11'), idle('100'), pay('0x5'), idle('9'), pay('0x6')],
      ['0=5', '1=5', '2=6'],
    ],
    [
      'a payment within calls',
      [idle('2'), inner(idle('1'), pay('0x5')), inner(pay('0x6'))],
      ['0.0=5', '1.0=6'],
    ],
    ['a static call', [idle('1', { type: 'STATICCALL' }), pay('0x5')], ['0=5']],
    ['a call without a value field', [{ to: precompile('1'), type: 'STATICCALL' }, pay('0x5')], ['0=5']],
    ['a call that failed', [idle('6', { error: 'out of gas' }), pay('0x5')], ['0=5']],
    ['precompiles of Arbitrum', [idle('64'), idle('6e'), pay('0x5')], ['0=5']],
  ])('%s', (_what, calls, expected) => {
    const tree: Call = { to: CONTRACT, value: '0x0', calls };
    expect(shortest(readCallTraces([{ txHash: TX, result: toGeth(tree) }], block))).toEqual(expected);
    expect(shortest(readParityTraces(toParity(tree, isPrecompiled), block))).toEqual(expected);
    // As anvil responds.
    expect(
      shortest(
        readParityTraces(
          toParity(tree, () => false),
          block,
        ),
      ),
    ).toEqual(expected);
  });

  it.each<[string, Call[], string[]]>([
    ['a call that pays a precompile', [{ to: precompile('4'), value: '0x1' }, pay('0x5')], ['0=1', '1=5']],
    ['a call to the zero address', [idle('0'), pay('0x5')], ['1=5']],
    [
      'a call to an address that is not a precompile',
      [idle('200'), idle(`1${'0'.repeat(38)}1`), pay('0x5')],
      ['2=5'],
    ],
    ['a call with calls of its own', [idle('ff', { calls: [pay('0x4')] }), pay('0x5')], ['0.0=4', '1=5']],
  ])('counts %s, as every node does', (_what, calls, expected) => {
    const tree: Call = { to: CONTRACT, value: '0x0', calls };
    expect(shortest(readCallTraces([{ txHash: TX, result: toGeth(tree) }], block))).toEqual(expected);
    expect(
      shortest(
        readParityTraces(
          toParity(tree, () => false),
          block,
        ),
      ),
    ).toEqual(expected);
  });

  it('ignores the value of a delegated call, which some nodes copy from its caller', () => {
    const calls = [idle('1', { type: 'DELEGATECALL', value: '0x9' }), pay('0x5')];
    const tree: Call = { to: CONTRACT, value: '0x9', calls };
    const expected = ['0=5', '=9'];
    expect(shortest(readCallTraces([{ txHash: TX, result: toGeth(tree) }], block))).toEqual(expected);
    for (const isLeftOut of [isPrecompiled, () => false])
      expect(shortest(readParityTraces(toParity(tree, isLeftOut), block))).toEqual(expected);
  });

  it('keeps the path shown by the node, and a transaction to a precompile itself', () => {
    const tree: Call = { to: precompile('4'), value: '0x3', calls: [idle('1'), pay('0x5')] };
    const moves = readCallTraces([{ txHash: TX, result: toGeth(tree) }], block);
    expect(moves.map(({ path, shownPath }) => [path, shownPath])).toEqual([
      [[], []],
      [[0], [1]],
    ]);
  });
});
