import type { UnavailableReason } from '../payment-methods.contract.js';
import { coinsOf, type PickableMethod, type PickerQuery, stepOf, usableCoins } from './method-picker.pure.js';

/** `ethereum/usdt 144`: a method by provider, code and seconds; "!": it cannot be used, "*": it is selected. */
function methodOf(text: string): PickableMethod {
  const [path = '', seconds = '60'] = text.replace(/[!*]/g, '').split(' ');
  const [provider = '', method = ''] = path.split('/');
  const code = method.toUpperCase();
  const isToken = code.startsWith('USD');
  return {
    provider,
    method,
    selected: text.includes('*'),
    currency: { code, name: code, decimals: 6, symbol: code, iconUrl: null },
    blockchain: { slug: provider, name: provider, chainId: null, testnet: false },
    token: isToken ? { standard: 'ERC-20', contractAddress: '0x1', decimals: 6 } : null,
    available: !text.includes('!'),
    unavailableReason: text.includes('!') ? ('node_unavailable' satisfies UnavailableReason) : null,
    estimatedAmount: null,
    estimatedConfirmationSeconds: Number(seconds),
  };
}
const methodsOf = (...texts: string[]) => texts.map(methodOf);

describe('coinsOf', () => {
  it.each([
    ['the most used first', ['ethereum/eth', 'bitcoin/btc', 'tron/usdt', 'base/usdc'], 'usdt usdc btc eth'],
    ['unknown coins last, in their order', ['x/zzz', 'x/aaa', 'bitcoin/btc'], 'btc zzz aaa'],
    ['the selected coin before all', ['tron/usdt', 'dogecoin/doge*'], 'doge usdt'],
    ['one coin for all its networks', ['tron/usdt', 'bsc/usdt', 'ethereum/eth'], 'usdt eth'],
  ])('%s', (_case, methods, coins) => {
    expect(
      coinsOf(methodsOf(...methods))
        .map(({ method }) => method)
        .join(' '),
    ).toBe(coins);
  });

  it.each([
    [
      'low fees first, then the faster one',
      ['ethereum/usdt 144', 'tron/usdt 57', 'bsc/usdt 15', 'base/usdt 40'],
      'bsc cheapest fastest, base, tron, ethereum',
    ],
    ['the fastest may cost more', ['ethereum/usdt 10', 'bsc/usdt 15'], 'bsc cheapest, ethereum fastest'],
    [
      'those that cannot be used are last, and compared with none',
      ['bsc/usdt! 15', 'tron/usdt 57'],
      'tron, bsc',
    ],
    ['without a choice nothing is compared', ['tron/usdt 57'], 'tron'],
    ['none can be used', ['tron/usdt! 57', 'bsc/usdt! 57'], 'bsc, tron'],
  ])('networks: %s', (_case, methods, shown) => {
    const [coin] = coinsOf(methodsOf(...methods));
    const words = coin?.networks.map(({ method, isCheapest, isFastest }) =>
      [method.provider, isCheapest && 'cheapest', isFastest && 'fastest'].filter(Boolean).join(' '),
    );
    expect(words?.join(', ')).toBe(shown);
  });
});

describe('usableCoins', () => {
  const CODES = ['btc', 'eth', 'ltc', 'bnb', 'trx', 'doge', 'avax'];

  it('are all shown up to six', () => {
    const { first, all } = usableCoins(coinsOf(methodsOf(...CODES.slice(1).map((code) => `x/${code}`))));
    expect([first.length, all.length]).toEqual([6, 0]);
  });

  it('are listed by name beyond six, without those that cannot be used', () => {
    const { first, all } = usableCoins(coinsOf(methodsOf(...CODES.map((code) => `x/${code}`), 'x/usdt!')));
    expect(first.map(({ method }) => method)).toEqual(['btc', 'eth', 'ltc', 'bnb', 'trx', 'doge']);
    expect(all.map(({ method }) => method)).toEqual(['avax', 'bnb', 'btc', 'doge', 'eth', 'ltc', 'trx']);
  });
});

describe('stepOf', () => {
  const MANY = ['tron/usdt', 'bsc/usdt', 'ethereum/eth', 'bitcoin/btc!'];
  const CHOSEN = ['tron/usdt*', 'bsc/usdt', 'ethereum/eth'];
  const USDT = ['tron/usdt', 'bsc/usdt'];
  const ONE = ['ethereum/eth'];
  const query = (text: string): PickerQuery => {
    const parameters = new URLSearchParams(text);
    const wanted = { provider: parameters.get('provider'), method: parameters.get('method') };
    return { wanted, choose: parameters.get('choose') };
  };

  it.each<[string, string[], string, boolean, string]>([
    ['a first view', MANY, '', false, 'coins'],
    ['instructions were requested', CHOSEN, '', true, 'pay'],
    ['their price is gone for good', CHOSEN, '', false, 'coins'],
    ['the customer wants another one', CHOSEN, 'choose=1', true, 'coins'],
    ['a form without a choice', MANY, 'choose=incomplete', false, 'coins: incomplete'],
    ['one method', ONE, '', false, 'confirm ethereum/eth, only'],
    ['one method, and the customer comes back', ONE, 'choose=1', false, 'confirm ethereum/eth'],
    ['one method, chosen', ['ethereum/eth*'], 'choose=1', true, 'pay'],
    ['one method that cannot be used', ['ethereum/eth!'], '', false, 'coins'],
    ['no method', [], '', false, 'coins'],
    ['one coin', USDT, '', false, 'networks usdt'],
    ['one coin that cannot be used', ['tron/usdt!', 'bsc/usdt!'], '', false, 'coins'],
    ['a coin with several networks', MANY, 'method=USDT', false, 'networks usdt, other coins'],
    ['the same, chosen before', CHOSEN, 'method=usdt', true, 'networks usdt, other coins'],
    ['a coin with one network', MANY, 'method=eth', false, 'confirm ethereum/eth'],
    ['a network with one coin', MANY, 'provider=Ethereum', false, 'confirm ethereum/eth'],
    [
      'a network with several coins',
      ['tron/usdt', 'tron/trx', 'ethereum/eth'],
      'provider=tron',
      false,
      'coins',
    ],
    ['a method', MANY, 'provider=bsc&method=usdt', false, 'confirm bsc/usdt'],
    ['the chosen method', CHOSEN, 'provider=tron&method=usdt', true, 'pay'],
    [
      'the chosen method, without instructions',
      CHOSEN,
      'provider=tron&method=usdt',
      false,
      'confirm tron/usdt',
    ],
    ['a wrong name', MANY, 'provider=bsc&method=doge', false, 'coins: unknown'],
    ['a wrong name, for one coin', USDT, 'provider=base&method=usdt', false, 'networks usdt: unknown'],
    ['a wrong name, even for the only method', ONE, 'method=doge', true, 'networks eth: unknown'],
    ['a method that cannot be used', MANY, 'provider=bitcoin&method=btc', false, 'coins: unavailable btc'],
    [
      'a method that cannot be used, of a coin that can',
      ['tron/usdt!', 'bsc/usdt', 'ethereum/eth'],
      'provider=tron&method=usdt',
      false,
      'networks usdt, other coins: unavailable usdt',
    ],
  ])('%s', (_case, methods, text, hasInstructions, shown) => {
    const step = stepOf(methodsOf(...methods), query(text), hasInstructions);
    expect(describeStep(step)).toBe(shown);
  });
});

function describeStep(step: ReturnType<typeof stepOf>): string {
  switch (step.kind) {
    case 'pay':
      return 'pay';
    case 'confirm':
      return `confirm ${step.method.provider}/${step.method.method}${step.isOnly ? ', only' : ''}`;
    case 'coins':
      return `coins${describeProblem(step.problem)}`;
    case 'networks':
      return `networks ${step.coin.method}${step.hasOtherCoins ? ', other coins' : ''}${describeProblem(step.problem)}`;
  }
}

function describeProblem(problem: Extract<ReturnType<typeof stepOf>, { kind: 'coins' }>['problem']): string {
  if (!problem) return '';
  return `: ${problem.kind}${problem.kind === 'unavailable' ? ` ${problem.method.method}` : ''}`;
}
