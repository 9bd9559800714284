import { DestinationError, readDestination } from './destination.pure.js';
import { readPlan } from './plan.pure.js';
import { SAMPLE } from '../../../test/support/sample-plan.js';

const plan = readPlan(JSON.stringify(SAMPLE));
const GOOD = '0x52908400098527886E0F7030069857D2E4169EE7';

it('takes an address with its checksum', () => {
  expect(readDestination(GOOD, plan)).toBe(GOOD);
});

it.each([
  ['a name', 'vitalik.eth', /must be an address/],
  ['one digit less', GOOD.slice(0, -1), /must be an address/],
  ['a wrong checksum', GOOD.replace('6E0F', '6e0F'), /wrong checksum/],
  ['no checksum', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92267', /as the wallet shows it/],
  ['zero', `0x${'0'.repeat(40)}`, /nobody can spend/],
  ['a precompiled contract', `0x${'0'.repeat(39)}9`, /nobody can spend/],
  ['where coins are burnt', '0x000000000000000000000000000000000000dEaD', /nobody can spend/],
  ['an address of the plan', SAMPLE.addresses[1]?.address ?? '', /of this plan/],
  ['the account that pays the fees', SAMPLE.funding.address, /of this plan/],
  ['a token', SAMPLE.addresses[0]?.tokens[0]?.contract ?? '', /contract of a token/],
])('refuses %s', (_what, text, says) => {
  expect(() => readDestination(text, plan)).toThrow(DestinationError);
  expect(() => readDestination(text, plan)).toThrow(says);
});
