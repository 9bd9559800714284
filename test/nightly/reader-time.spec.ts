import {
  type FieldReader,
  fieldReaders,
  filesBelow,
  functionOf,
  type Reader,
  readersIn,
} from '../support/foreign-readers.js';
import { type Input, isGrowing } from '../support/work-growth.js';

/*
 * Readers of foreign text: every exported function of a `*.pure.ts` file, and of the files below, whose first parameter is
 * text, bytes or an unknown value; and every field of a body or a query. Each is given texts of repeated characters, of
 * one length, twice and four times that, and objects of many keys, arrays of many items and of many levels.
 */
const BESIDE = [
  'src/chains/evm/receipts-text.ts',
  'src/chains/json-rpc-wire.ts',
  'src/checkout/page/page-query.ts',
  'src/money/money.ts',
  'src/platform/web/contract/choice-list.ts',
  'src/platform/web/contract/rules.ts',
  'src/platform/web/http/request-body.ts',
];

/** What is passed for a further parameter, by its declared type. Functions that need another are in {@link LEFT_OUT}. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  string: ['a', 'bitcoin', 'https://shop.example/x'],
  number: [64],
  boolean: [false],
  unknown: ['a'],
  'string | null': [null, 'a'],
  'number | null': [null],
  'readonly string[]': [['id', 'amount']],
  'Readonly<Record<string, string | string[]>>': [{ siteId: 'a' }],
  'ReadFields | null': [null],
  'ReadonlySet<string>': [new Set(['password'])],
  AddressFamily: ['bitcoin', 'evm'],
  UtxoFamily: ['bitcoin', 'bitcoincash'],
  UtxoNetworkName: ['mainnet'],
  ScriptType: ['p2wpkh'],
  WebhookUrlPolicy: [{ production: true, allowedRanges: [] }],
  SiteAddresses: [{ url: 'https://shop.example/', callbackUrl: null }],
  TextArrayRules: [{ max: 100 }],
  TextMapRules: [{ count: 50, maxKeyLength: 40, maxLength: 500, maxBytes: 8_000 }],
  '{ email: string; name: string | null }': [{ email: 'a@shop.example', name: null }],
};

/** Why a reader is not called here. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  ...leftOut('the first parameter is the name of a rule that is declared', [
    'src/platform/web/contract/rules.ts rule',
  ]),
  ...leftOut('the first parameter is a slug or a name of our own', [
    'src/chains/chain-selection.pure.ts chainMessage',
    'src/chains/family-config.pure.ts chainIdProblems',
    'src/chains/family-config.pure.ts multiNodeProblems',
    'src/chains/family-config.pure.ts esploraProblems',
    'src/chains/family-config.pure.ts proofOfWorkProblems',
    'src/chains/family-config.pure.ts apiKeyProblems',
    'src/chains/family-config.pure.ts nativeOfferProblems',
    'src/chains/required-confirmations.pure.ts defaultTiers',
    'src/chains/token-contracts.pure.ts tokensOn',
    'src/platform/web/contract/selection-message.pure.ts selectionMessage',
    'src/platform/web/rate-limiting/brute-force-throttle.pure.ts passwordBudgets',
  ]),
  ...leftOut('the first parameter is the public URL of the operator', [
    'src/payments/checkout-url.pure.ts checkoutUrl',
    'src/payments/receipt-url.pure.ts receiptUrl',
    'src/refunds/claim-url.pure.ts claimUrl',
  ]),
  ...leftOut('bytes of our own, or of a length that was looked at', [
    'src/chains/utxo/cash-address.pure.ts toCashAddress',
    'src/chains/utxo/merge-mining.pure.ts findMergeMiningProblem',
    'src/platform/kernel/hmac.pure.ts constantTimeEquals',
    'src/wallets/extended-public-key.pure.ts encodeExtendedKey',
    'src/wallets/extended-public-key.pure.ts toAccountNode',
  ]),
  ...leftOut('a table of two lengths: similarNames() bounds both before', [
    'src/platform/kernel/errors/similar-names.pure.ts editDistance',
  ]),
  ...leftOut('read through functions that are called here', [
    'src/applications/misplaced-site.pure.ts misplacedSiteFields',
    'src/chains/evm/block-proof.pure.ts readShownBlock',
    'src/chains/utxo/byte-reader.pure.ts readWhole',
    'src/chains/json-rpc-wire.ts resultOf',
    'src/chains/json-rpc-wire.ts refusalOf',
    'src/chains/json-rpc-wire.ts refusalOfBody',
    'src/platform/kernel/dns/dns-answers.pure.ts resolveDnsAnswers',
  ]),
};

/** Characters that mean something to some reader, and pairs of them. */
const PUMPS = [
  ...Array.from('a0 \t\n"\'\\[]{}()<>&%/.,:;-_+=#@?!|*\u0000é١𝒜'),
  'a.',
  'a,',
  '0,',
  '1.',
  'a ',
  ' \n',
  '""',
  '[]',
  '{"',
  '%4',
  '%41',
  '/.',
  '//',
  ':/',
  ', ',
  '; ',
  'a=',
  '&a',
  "h'",
  '\\"',
  '1e',
  '0x',
  'é1',
];
/** What brings a text past the first look of some reader. */
const PREFIXES = ['https://a.example/', '{"a":', '1', 'wpkh(', 'xpub'];

function leftOut(reason: string, places: readonly string[]): Record<string, string> {
  return Object.fromEntries(places.map((place) => [place, reason]));
}

const FILES = [...filesBelow('src').filter((file) => file.endsWith('.pure.ts')), ...BESIDE];
const READERS = FILES.flatMap(readersIn);
const FIELDS = await fieldReaders('src');

const repeated =
  (prefix: string, pump: string, suffix: string): ((length: number) => string) =>
  (length) =>
    prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
const TEXTS = [
  ...PUMPS.flatMap((pump) => [repeated('', pump, ''), repeated('', pump, '!')]),
  ...PREFIXES.flatMap((prefix) => PUMPS.map((pump) => repeated(prefix, pump, '!'))),
];
const keys = (length: number) => Array.from({ length: Math.ceil(length / 8) }, (_, i) => `key${i}`);
const levels = (around: (inner: unknown) => unknown, innermost: unknown) =>
  Array.from({ length: 30 }).reduce<unknown>(around, innermost);
/** V8 reads objects of up to some 1,000 keys faster than larger ones; none of these, because one was taken away. */
function largeObject(names: readonly string[]): object {
  const object = Object.fromEntries(['gone', ...names].map((key) => [key, key]));
  Reflect.deleteProperty(object, 'gone');
  return object;
}
const STRUCTURES: Input[] = [
  keys,
  (length) => largeObject(keys(length)),
  (length) => keys(length).map((key) => ({ [key]: key })),
  // parseExact() lets none in that are deeper.
  (length) => keys(length / 16).map((key) => levels((inner) => [inner], key)),
  (length) => keys(length / 16).map((key) => levels((inner) => ({ inner }), key)),
];

/** Each value of the first parameter, for a number of characters. */
function inputsOf(type: string): Input[] {
  if (/^(Buffer|Uint8Array)/.test(type)) return TEXTS.map((text) => (length) => Buffer.from(text(length)));
  return type.startsWith('unknown') ? [...TEXTS, ...STRUCTURES] : TEXTS;
}

/** A text that takes time which grows faster than it; undefined: none does. */
async function findGrowing(reader: Reader): Promise<string | undefined> {
  const read = await functionOf(reader);
  const lists = reader.rest.map((type) => ARGUMENTS[type] ?? []);
  const most = Math.max(1, ...lists.map(({ length }) => length));
  for (let i = 0; i < most; i++) {
    const rest = lists.map((list) => list[i % list.length]);
    const found = inputsOf(reader.first).find((input) => isGrowing((value) => read(value, ...rest), input));
    if (found) return JSON.stringify(found(12)).slice(0, 60);
  }
  return undefined;
}

function findGrowingField({ read }: FieldReader): string | undefined {
  const found = [...TEXTS, ...STRUCTURES].find((input) => isGrowing(read, input));
  return found && JSON.stringify(found(12)).slice(0, 60);
}

describe('the readers of foreign text', () => {
  it('are found by themselves', () => {
    expect(READERS.length).toBeGreaterThan(150);
    const names = READERS.map(({ place }) => place);
    expect(names).toEqual(
      expect.arrayContaining([
        'src/applications/branding/logo.pure.ts readLogo',
        'src/platform/kernel/exact-json.pure.ts parseExact',
        'src/wallets/output-descriptor.pure.ts parseDescriptor',
        'src/money/money.ts parseDecimal',
      ]),
    );
    expect(Object.keys(LEFT_OUT).filter((name) => !names.includes(name))).toEqual([]);
    expect(FIELDS.length).toBeGreaterThan(100);
    expect(FIELDS.map(({ place }) => place)).toEqual(
      expect.arrayContaining(['CreatePaymentContract.metadata', 'CreateApplicationContract.name']),
    );
  });

  it('can all be called, or say why not', () => {
    const unknown = READERS.filter(
      ({ place, rest }) => !(place in LEFT_OUT) && rest.some((type) => !(type in ARGUMENTS)),
    );
    expect(unknown.map(({ place, rest }) => `${place} (${rest.join(', ')})`)).toEqual([]);
  });

  const planted: [what: string, growing: boolean, read: (text: string) => unknown][] = [
    ['a pattern that begins again at each character', true, (text) => /a+$/.test(`${text}!`)],
    [
      'a list that is copied for each character',
      true,
      (text) => Array.from(text).reduce<string[]>((all, one) => [...all, one], []),
    ],
    [
      'a search for each character',
      true,
      (text) => Array.from(text).filter((_, i) => !text.includes('b', i)),
    ],
    ['a list of its characters', false, (text) => Array.from(text)],
    ['a sorted list', false, (text) => Array.from(text).toSorted()],
    [
      'numbers of any size',
      false,
      (text) =>
        Array.from(text).reduce((sum, one) => (sum * 31n + BigInt(one.charCodeAt(0))) & 0xffffffffffn, 1n),
    ],
  ];
  it.each(planted)('%s: would be refused: %s', (_what, growing, read) => {
    expect(isGrowing((text) => read(String(text)), repeated('', 'a', ''))).toBe(growing);
  });

  it('take no time that grows faster than the text', async () => {
    const growing: string[] = [];
    for (const reader of READERS.filter(({ place }) => !(place in LEFT_OUT))) {
      const text = await findGrowing(reader);
      if (text !== undefined) growing.push(`${reader.place}: ${text}`);
    }
    expect(growing).toEqual([]);
  }, 1_200_000);

  it('nor do the fields of bodies and queries', () => {
    const growing = FIELDS.flatMap((field) => {
      const value = findGrowingField(field);
      return value === undefined ? [] : [`${field.place}: ${value}`];
    });
    expect(growing).toEqual([]);
  }, 1_200_000);
});
