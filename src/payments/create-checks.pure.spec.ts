import { CHAIN_CATALOG } from '../chains/chain-catalog.pure.js';
import { Draft, readDraft } from '../platform/web/contract/read-contract.js';
import { ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { JsonFloat } from '../platform/kernel/exact-json.pure.js';
import { checkBlockchain, checkExpiry, checkMoney } from './create-checks.pure.js';
import { CreatePaymentContract } from './payment-requests.contract.js';
import type { RequestedAmount } from './quotes/requested-amount.pure.js';

type Errors = Record<string, string[]>;

function errorsOf({ problems }: Draft<CreatePaymentContract>): Errors {
  try {
    problems.throwIfAny();
    return {};
  } catch (error) {
    if (error instanceof ValidationError) return error.extra.errors ?? {};
    throw error;
  }
}

/** A body as it is read from JSON, whose other fields are valid. */
const body = (fields: object) =>
  readDraft(CreatePaymentContract, {
    currencyCode: 'USD',
    reference: 'ORDER-123',
    referenceLabel: 'Order #123',
    ...fields,
  });

const ETH_MAX = 10n ** 27n;
const USD_RANGE =
  'must be between 1 and 999999999999999, in the smallest unit of USD ($0.01 to $9,999,999,999,999.99).';
const JPY_RANGE =
  'must be between 1 and 999999999999999, in the smallest unit of JPY (¥1 to ¥999,999,999,999,999).';
const ETH_RANGE = `must be between 1 and ${ETH_MAX}, in the smallest unit of ETH (0.000000000000000001 ETH to 1000000000.00000000 ETH).`;
const USD_FORM = 'must be an integer in the smallest unit of USD, digits only';
const REQUIRED = { amount: ['The amount field is required when amountAtomic is not present.'] };
const BOTH = 'The amountAtomic field must not be sent together with amount.';

describe('checkMoney', () => {
  const check = (fields: object, enabled = ['BTC', 'ETH']) => {
    const draft = body(fields);
    const requested = checkMoney(draft, enabled);
    return { requested, errors: errorsOf(draft) };
  };

  it.each<[what: string, fields: object, requested: RequestedAmount]>([
    ['the smallest amount', { amount: 1 }, { field: 'amount', units: 1n }],
    ['a thousand million dollars', { amount: 1e11 }, { field: 'amount', units: 10n ** 11n }],
    [
      'a thousand million yen, which have no cents',
      { amount: 1e9, currencyCode: 'JPY' },
      { field: 'amount', units: 10n ** 9n },
    ],
    [
      'a thousand million ether as an integer beyond 2^53',
      { amount: ETH_MAX, currencyCode: 'ETH' },
      { field: 'amount', units: ETH_MAX },
    ],
    [
      'a thousand million ether in digits',
      { amountAtomic: `${ETH_MAX}`, currencyCode: 'ETH' },
      { field: 'amountAtomic', units: ETH_MAX },
    ],
    ['digits beside null', { amount: null, amountAtomic: '5' }, { field: 'amountAtomic', units: 5n }],
    [
      'another settlement currency',
      { amount: 5, settlementCurrencyCode: 'EUR' },
      { field: 'amount', units: 5n },
    ],
    [
      'a settlement currency that cannot be paid with here',
      { amount: 5, settlementCurrencyCode: 'LTC' },
      { field: 'amount', units: 5n },
    ],
    [
      'null as the settlement currency',
      { amount: 5, settlementCurrencyCode: null },
      { field: 'amount', units: 5n },
    ],
  ])('accepts %s', (_what, fields, requested) => expect(check(fields)).toEqual({ requested, errors: {} }));

  it.each<[what: string, fields: object, errors: Errors]>([
    ['no amount', {}, REQUIRED],
    ['null as both amounts', { amount: null, amountAtomic: null }, REQUIRED],
    ['both amounts', { amount: 5, amountAtomic: '5' }, { amountAtomic: [BOTH] }],
    [
      'both amounts, one of them out of bounds',
      { amount: 0, amountAtomic: '5' },
      { amount: [`The amount field ${USD_RANGE}`], amountAtomic: [BOTH] },
    ],
    ['zero', { amount: 0 }, { amount: [`The amount field ${USD_RANGE}`] }],
    ['a negative amount', { amount: -5 }, { amount: [`The amount field ${USD_RANGE}`] }],
    [
      'a negative amount beyond 2^53',
      { amount: -ETH_MAX, currencyCode: 'ETH' },
      { amount: [`The amount field ${ETH_RANGE}`] },
    ],
    [
      'a fraction',
      { amount: new JsonFloat('19.99') },
      { amount: [`The amount field ${USD_FORM}: 1999 for 19.99 USD.`] },
    ],
    [
      'a fraction as a float',
      { amount: 19.99 },
      { amount: [`The amount field ${USD_FORM}: 2500 for 25.00 USD.`] },
    ],
    [
      'an integer with a point',
      { amount: new JsonFloat('10.0') },
      { amount: [`The amount field ${USD_FORM}: 1000 for 10.00 USD.`] },
    ],
    [
      'an exponent',
      { amount: new JsonFloat('1e3') },
      { amount: [`The amount field ${USD_FORM}: 2500 for 25.00 USD.`] },
    ],
    [
      'a fraction of more places than the currency has',
      { amount: new JsonFloat('1.5'), currencyCode: 'JPY' },
      {
        amount: [
          'The amount field must be an integer in the smallest unit of JPY, digits only: 25 for 25 JPY.',
        ],
      },
    ],
    [
      'digits in quotation marks',
      { amount: '1999' },
      { amount: [`The amount field ${USD_FORM} and without quotes: 1999. Text goes into amountAtomic.`] },
    ],
    ['a word', { amount: 'free' }, { amount: [`The amount field ${USD_FORM}: 2500 for 25.00 USD.`] }],
    ['an empty text', { amount: '' }, { amount: [`The amount field ${USD_FORM}: 2500 for 25.00 USD.`] }],
    ['a boolean', { amount: true }, { amount: [`The amount field ${USD_FORM}: 2500 for 25.00 USD.`] }],
    ['a list', { amount: [5] }, { amount: [`The amount field ${USD_FORM}: 2500 for 25.00 USD.`] }],
  ])('refuses %s and says what the amount must be', (_what, fields, errors) =>
    expect(check(fields)).toEqual({ requested: null, errors }),
  );

  it.each<[what: string, fields: object, errors: Errors]>([
    ['dollars', { amount: 1e15 }, { amount: [`The amount field ${USD_RANGE}`] }],
    ['yen', { amount: 1e15, currencyCode: 'JPY' }, { amount: [`The amount field ${JPY_RANGE}`] }],
    ['ether', { amount: ETH_MAX + 1n, currencyCode: 'ETH' }, { amount: [`The amount field ${ETH_RANGE}`] }],
    [
      'ether in digits',
      { amountAtomic: `${ETH_MAX + 1n}`, currencyCode: 'ETH' },
      { amountAtomic: [`The amountAtomic field ${ETH_RANGE}`] },
    ],
  ])('refuses one unit more than the bound: %s', (_what, fields, errors) =>
    expect(check(fields).errors).toEqual(errors),
  );

  const CODES = 'It must be an upper-case currency code, as GET /api/currencies lists them.';
  it.each<[what: string, fields: object, errors: Errors]>([
    [
      'a currency in lower case',
      { currencyCode: 'usd' },
      { currencyCode: [`The selected currencyCode is invalid. Did you mean USD? ${CODES}`] },
    ],
    [
      'an unknown currency',
      { currencyCode: 'QQQQQ' },
      { currencyCode: [`The selected currencyCode is invalid. ${CODES}`] },
    ],
    [
      'a coin that is not enabled',
      { currencyCode: 'LTC' },
      {
        currencyCode: [
          'The selected currencyCode is known, but not enabled on this gateway; enabled: BTC, ETH.',
        ],
      },
    ],
    [
      'an unknown settlement currency',
      { settlementCurrencyCode: 'usd' },
      {
        settlementCurrencyCode: [
          `The selected settlementCurrencyCode is invalid. Did you mean USD? ${CODES}`,
        ],
      },
    ],
  ])('refuses %s', (_what, fields, errors) => expect(check({ amount: 5, ...fields }).errors).toEqual(errors));

  it('refuses every coin where none is enabled, and no fiat currency', () => {
    expect(check({ amount: 5, currencyCode: 'BTC' }, []).errors).toEqual({
      currencyCode: ['The selected currencyCode is known, but not enabled on this gateway; none is enabled.'],
    });
    expect(check({ amount: 5, currencyCode: 'EUR' }, []).errors).toEqual({});
  });

  it('leaves a wrong amount to the rule of its field where the currency is unknown or missing', () => {
    const rule = ['The amount field must be at least 1.'];
    expect(check({ amount: 0, currencyCode: 'QQQQQ' }).errors['amount']).toEqual(rule);
    expect(check({ amount: 0, currencyCode: undefined }).errors['amount']).toEqual(rule);
  });

  it('names what is wrong with amount, currency and settlement currency at once', () =>
    expect(
      Object.keys(check({ amount: 0, currencyCode: 'LTC', settlementCurrencyCode: 'QQQQQ' }).errors).sort(),
    ).toEqual(['amount', 'currencyCode', 'settlementCurrencyCode']));
});

describe('checkBlockchain', () => {
  const chains = ['bitcoin', 'ethereum', 'tron'].flatMap((slug) =>
    CHAIN_CATALOG.filter((chain) => chain.slug === slug),
  );
  const check = (blockchainSlug: string | null | undefined, whitelist: string[] | null) => {
    const draft = new Draft<CreatePaymentContract>({ blockchainSlug });
    checkBlockchain(draft, chains, whitelist);
    return errorsOf(draft)['blockchainSlug'];
  };

  it.each<[what: string, slug: string | null | undefined, whitelist: string[] | null]>([
    ['no blockchain', undefined, ['BTC']],
    ['null', null, ['BTC']],
    ['a watched chain without a whitelist', 'bitcoin', []],
    ['a watched chain of an application that is itself invalid', 'bitcoin', null],
    ['a chain of a coin on the whitelist', 'bitcoin', ['LTC', 'BTC']],
    ['a chain of a token on the whitelist', 'tron', ['USDT']],
  ])('accepts %s', (_what, slug, whitelist) => expect(check(slug, whitelist)).toBeUndefined());

  it.each<[what: string, slug: string, whitelist: string[] | null, message: string]>([
    [
      'an unknown chain',
      'peercoin',
      null,
      'The selected blockchainSlug is invalid. It must be one of bitcoin, ethereum, tron.',
    ],
    [
      'a chain in capital letters',
      'Bitcoin',
      [],
      'The selected blockchainSlug is invalid. Did you mean bitcoin? It must be one of bitcoin, ethereum, tron.',
    ],
    [
      'a chain that is not enabled',
      'litecoin',
      ['BTC'],
      'The selected blockchainSlug is known, but not enabled on this gateway; enabled: bitcoin, ethereum, tron.',
    ],
    [
      'a chain on which nothing of the whitelist is paid',
      'bitcoin',
      ['USDT', 'ETH'],
      "The selected blockchainSlug is invalid. The application's currencyWhitelist (USDT, ETH) has nothing that is paid on Bitcoin. Leave it out, or choose one of ethereum, tron.",
    ],
    [
      'a watched chain where the whitelist is paid on none',
      'bitcoin',
      ['LTC'],
      "The selected blockchainSlug is invalid. The application's currencyWhitelist (LTC) has nothing that is paid on Bitcoin.",
    ],
  ])('refuses %s', (_what, slug, whitelist, message) => expect(check(slug, whitelist)).toEqual([message]));
});

describe('checkExpiry', () => {
  const NOW = new Date('2026-11-23T08:00:00.250Z');
  const YEAR = 366 * 86_400_000;
  const check = (expiresAt: Date | null | undefined) => {
    const draft = new Draft<CreatePaymentContract>({ expiresAt });
    checkExpiry(draft, NOW);
    return errorsOf(draft);
  };
  const after = (ms: number) => new Date(NOW.getTime() + ms);

  it.each([
    ['no expiry', undefined],
    ['null', null],
    ['exactly a minute from now', after(60_000)],
    ['an hour from now', after(3_600_000)],
    ['exactly 366 days from now', after(YEAR)],
  ])('accepts %s', (_what, expiresAt) => expect(check(expiresAt)).toEqual({}));

  it.each([
    ['a millisecond less than a minute from now', after(59_999)],
    ['now', NOW],
    ['a minute ago', after(-60_000)],
    ['1970', new Date(0)],
    ['a millisecond more than 366 days from now', after(YEAR + 1)],
    ['the last day of all', new Date(8.64e15)],
    ['no valid date', new Date(Number.NaN)],
  ])("refuses %s and names the server's time", (_what, expiresAt) =>
    expect(check(expiresAt)).toEqual({
      expiresAt: [
        'The expiresAt field must be between one minute and one year from now, which is 2026-11-23T08:00:00Z here.',
      ],
    }),
  );
});
