import { decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi } from 'viem';
import { decodeResults, encodeCalls, nativeBalanceCall } from './multicall.pure.js';

const ADDRESS = `0x${'0a'.repeat(20)}` as const;
const functionName = 'aggregate3';
const encodeResult = (result: { success: boolean; returnData: Hex }[]) =>
  encodeFunctionResult({ abi: multicall3Abi, functionName, result });

describe('encodeCalls', () => {
  it.each<[string, { to: Hex; data: Hex }[]]>([
    ['none', []],
    ['one without data', [{ to: ADDRESS, data: '0x' }]],
    ['one of a word', [{ to: ADDRESS, data: `0x${'11'.repeat(32)}` }]],
    ['one of a word and a byte', [{ to: ADDRESS, data: `0x${'22'.repeat(33)}` }]],
    [
      'several of different lengths',
      [
        { to: ADDRESS, data: '0x1234' },
        { to: `0x${'0'.repeat(40)}`, data: `0x${'33'.repeat(100)}` },
        { to: ADDRESS, data: '0x' },
      ],
    ],
  ])('encodes %s as the contract reads them', (_what, calls) => {
    const decoded = decodeFunctionData({ abi: multicall3Abi, data: encodeCalls(calls) as Hex });
    expect(decoded).toEqual({
      functionName,
      args: [
        calls.map(({ to, data }) => ({
          target: expect.stringMatching(new RegExp(`^${to}$`, 'i')),
          allowFailure: true,
          callData: data,
        })),
      ],
    });
  });

  it('names the balance of an address', () => {
    const word = ADDRESS.slice(2).padStart(64, '0');
    expect(decodeFunctionData({ abi: multicall3Abi, data: nativeBalanceCall(word).data as Hex })).toEqual({
      functionName: 'getEthBalance',
      args: [expect.stringMatching(new RegExp(`^${ADDRESS}$`, 'i'))],
    });
  });
});

describe('decodeResults', () => {
  it('reads what each call returned, and null for one that failed', () => {
    const returned: Hex[] = ['0x', `0x${'44'.repeat(32)}`, '0x12', `0x${'55'.repeat(70)}`];
    const results = returned.map((returnData, i) => ({ success: i !== 2, returnData }));
    expect(decodeResults(encodeResult(results), 4)).toEqual([returned[0], returned[1], null, returned[3]]);
  });

  it.each<[string, unknown]>([
    ['no text', null],
    ['no hex', '0xzz'],
    ['nothing', '0x'],
    ['another number of results', encodeResult([{ success: true, returnData: '0x' }])],
    ['a cut list', encodeResult([TRUE(), TRUE()]).slice(0, -64)],
    ['an offset beyond the end', `0x${'ff'.repeat(320)}`],
  ])('refuses %s', (_what, value) => {
    expect(() => decodeResults(value, 2)).toThrow('malformed result of several calls');
  });
});

function TRUE() {
  return { success: true, returnData: `0x${'66'.repeat(32)}` } as const;
}
