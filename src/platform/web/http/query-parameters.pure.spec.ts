import {
  isOtherName,
  meantParameters,
  parameterKey,
  unknownParameterMessage,
} from './query-parameters.pure.js';

const PAYMENTS = [
  'page',
  'per_page',
  'perPage',
  'paymentApplicationId',
  'status',
  'search',
  'sort',
  'dateFrom',
];
const EVENTS = ['after', 'limit'];

describe('meantParameters', () => {
  it.each<[string, readonly string[], string[]]>([
    ['perpage', PAYMENTS, ['per_page', 'perPage']],
    ['limit', PAYMENTS, ['per_page']],
    ['limit', [], []],
    ['page[size]', PAYMENTS, ['per_page']],
    ['page[size]', EVENTS, ['limit']],
    ['page[number]', PAYMENTS, ['page']],
    ['application_id', PAYMENTS, ['paymentApplicationId']],
    ['payment_application_id', PAYMENTS, ['paymentApplicationId']],
    ['Status', PAYMENTS, ['status']],
    ['statsu', PAYMENTS, ['status']],
    ['from', PAYMENTS, ['dateFrom']],
    ['from', EVENTS, []],
    ['cursor', EVENTS, ['after']],
    ['constructor', PAYMENTS, []],
    ['utm_source', PAYMENTS, []],
  ])('%p among %j means %j', (name, known, meant) => expect(meantParameters(name, known)).toEqual(meant));
});

describe('isOtherName', () => {
  it.each([
    ['page[size]', true],
    ['page[foo]', false],
    ['per_page', false],
    ['status[]', false],
    ['toString', false],
  ])('%p: %p', (name, is) => expect(isOtherName(name, PAYMENTS)).toBe(is));
});

describe('unknownParameterMessage', () => {
  it.each<[string, readonly string[], string]>([
    [
      'cursor',
      EVENTS,
      'The cursor parameter is not known by this list. Did you mean after? Known are after, limit.',
    ],
    ['utm_source', EVENTS, 'The utm_source parameter is not known by this list. Known are after, limit.'],
    ['enabled', [], 'The enabled parameter is not known by this list. It takes none.'],
    ['a1b2c3d4e5f6', [], 'A parameter of the query is not known by this list. It takes none.'],
    ['x'.repeat(65), [], 'A parameter of the query is not known by this list. It takes none.'],
  ])('%p among %j', (name, known, message) => expect(unknownParameterMessage(name, known)).toBe(message));

  it('keeps long names out of the keys of errors', () => {
    expect(parameterKey('x'.repeat(65))).toBe('query');
    expect(parameterKey('perpage')).toBe('perpage');
    expect(parameterKey('page[size]')).toBe('page[size]');
  });
});
