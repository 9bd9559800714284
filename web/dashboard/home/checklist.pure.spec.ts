import { checklist, isComplete, type Known } from './checklist.pure.js';

const NOTHING: Known = {
  applications: undefined,
  wallets: undefined,
  uncompared: undefined,
  tokens: undefined,
  chains: undefined,
  haltedChains: undefined,
  isOperator: undefined,
  addresses: undefined,
  hasDelivered: undefined,
  secondFactor: undefined,
  paid: undefined,
  paidForReal: undefined,
};
const LIVE: Known = {
  applications: 1,
  wallets: 1,
  uncompared: 0,
  tokens: 1,
  chains: 2,
  haltedChains: 0,
  isOperator: false,
  addresses: ['https://pay.example', 'HTTPS://shop.example/hook'],
  hasDelivered: true,
  secondFactor: true,
  paid: 3,
  paidForReal: 1,
};
const stateOf = (step: string, known: Partial<Known>, others = LIVE) =>
  checklist({ ...others, ...known }).find(({ text }) => text === `step.${step}`)?.isDone;

it('knows nothing before anything was read', () => {
  expect(checklist(NOTHING).every(({ isDone }) => isDone === null)).toBe(true);
});

it.each<[string, string, Partial<Known>, boolean | null]>([
  ['application', 'there is none', { applications: 0 }, false],
  ['wallet', 'there is none', { wallets: 0 }, false],
  ['wallet', 'the addresses of one were not compared', { wallets: 2, uncompared: 1 }, false],
  ['wallet', 'they are not known yet', { uncompared: undefined }, null],
  ['wallet', 'there is no application', { applications: 0 }, false],
  ['token', 'all are revoked', { tokens: 0 }, false],
  ['node', 'no network is watched', { chains: 0 }, false],
  ['node', 'a network is not read', { haltedChains: 1 }, false],
  ['node', 'their state is not known yet', { haltedChains: undefined }, null],
  [
    'https',
    'a webhook URL is not encrypted',
    { addresses: ['https://pay.example', 'http://shop.example'] },
    false,
  ],
  ['https', 'the dashboard is not', { addresses: ['http://pay.example'] }, false],
  ['webhook', 'no webhook has arrived', { hasDelivered: false }, false],
  ['webhook', 'it is not known yet', { hasDelivered: undefined }, null],
  ['second-factor', 'a password is enough', { secondFactor: false }, false],
  ['second-factor', 'it is not known yet', { secondFactor: undefined }, null],
  ['paid', 'nothing was paid', { paid: 0 }, false],
  ['real', 'only play money came', { paidForReal: 0 }, false],
])('says of %s when %s', (step, _when, known, expected) => {
  expect(stateOf(step, known)).toBe(expected);
});

it('asks for no second factor where another program signs people in', () => {
  expect(stateOf('second-factor', { secondFactor: null })).toBeUndefined();
});

it('is complete when every step is known to be done', () => {
  expect(isComplete(checklist(LIVE))).toBe(true);
  expect(isComplete(checklist({ ...LIVE, paidForReal: undefined }))).toBe(false);
});

it('leads to the newest application once there is one', () => {
  expect(checklist(LIVE).find(({ text }) => text === 'step.wallet')?.path).toBe('/applications');
  expect(checklist(LIVE, 'a1').find(({ text }) => text === 'step.wallet')?.path).toBe(
    '/applications/a1/wallets',
  );
});

it('sends an operator without a network to where a node is tried', () => {
  const path = (isOperator: boolean) =>
    checklist({ ...LIVE, isOperator }).find(({ text }) => text === 'step.node')?.path;
  expect([path(true), path(false)]).toEqual(['/operator/health#try-node', '/']);
});
