import { amountToSend, parsePayArguments, PayUsageError } from './pay-arguments.js';

const LINK = 'http://localhost:3000/checkout/550e8400-e29b-41d4-a716-446655440000?expires=1&signature=ab';
const PLAIN = {
  checkoutUrl: new URL(LINK),
  amount: 'exact',
  isTwice: false,
  isReplaced: false,
  reorg: null,
  isWrongNetwork: false,
  method: null,
};

describe('parsePayArguments', () => {
  it.each([
    [[LINK], PLAIN],
    [['--amount', 'less', LINK], { ...PLAIN, amount: 'less' }],
    [['--amount=more', LINK], { ...PLAIN, amount: 'more' }],
    [
      [LINK, '--twice', '--rbf', '--wrong-network'],
      { ...PLAIN, isTwice: true, isReplaced: true, isWrongNetwork: true },
    ],
    [[LINK, '--reorg', '1'], { ...PLAIN, reorg: 1 }],
    [[LINK, '--reorg', '60'], { ...PLAIN, reorg: 60 }],
    [[LINK, '--method', 'Ethereum/USDT'], { ...PLAIN, method: { provider: 'ethereum', method: 'usdt' } }],
    [['--help'], null],
  ])('reads %j', (args, order) => {
    expect(parsePayArguments(args)).toEqual(order);
  });

  it.each([
    [[], 'which checkout url?'],
    [[LINK, LINK], 'one checkout url only'],
    [['checkout'], '"checkout" is no url'],
    [['http://localhost:3000/checkout/1?expires=1'], 'has no signature: put it in quotes'],
    [[LINK, '--amount', 'half'], '--amount is exact, less or more, not "half"'],
    [[LINK, '--reorg', '0'], '--reorg is a number of blocks from 1 to 60, not "0"'],
    [[LINK, '--reorg', '61'], 'not "61"'],
    [[LINK, '--reorg', '1.5'], 'not "1.5"'],
    [[LINK, '--method', 'usdt'], '--method is <provider>/<method>, not "usdt"'],
    [[LINK, '--fast'], "Unknown option '--fast'"],
  ])('rejects %j', (args, message) => {
    expect(() => parsePayArguments(args)).toThrow(PayUsageError);
    expect(() => parsePayArguments(args)).toThrow(message);
  });
});

describe('amountToSend', () => {
  it.each([
    [1_000n, 'exact', 1_000n],
    [1_000n, 'less', 500n],
    [1n, 'less', 1n],
    [1_000n, 'more', 1_101n],
    [1n, 'more', 2n],
    [12_345_678_901_234_567_890n, 'exact', 12_345_678_901_234_567_890n],
  ] as const)('for %i and "%s" is %i', (due, amount, sent) => {
    expect(amountToSend(due, amount)).toBe(sent);
  });
});
