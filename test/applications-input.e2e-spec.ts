import { STANDARD_EVENTS } from '../src/applications/event-types.pure.js';
import { type ApplicationDto, APPLICATIONS, ApplicationsApi } from './support/applications-api.js';
import { createOwner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const NAME_LENGTH = 'The name field must be between 3 and 255 characters.';
const BAD_URL =
  'The url field must be a valid URL with a scheme and a host and without user name, password and spaces, e.g. https://shop.example/orders.';
const BAD_CALLBACK =
  'The callbackUrl field must be a valid URL with a scheme and a host and without user name, password and spaces, e.g. https://shop.example/orders.';
const CODES =
  'It must be the code of a cryptocurrency: BTC, LTC, DOGE, BCH, ETH, USDT, USDC, TRX, SOL, BNB, POL, AVAX.';
const INVALID = 'must not contain invalid characters.';
const MUST_LIST = `The events field must list ${STANDARD_EVENTS.join(', ')}, which are always sent;`;
const NO_INTEGER = ['confirmations.bitcoin', 'The confirmations.bitcoin field must be an integer.'] as const;
const OUT_OF_RANGE = [
  'confirmations.bitcoin',
  'The confirmations.bitcoin field must be between 1 and 10000.',
] as const;
const WRONG_VALUES: [string, unknown, string, string][] = [
  ['name', null, 'name', 'The name field is required.'],
  ['name', '', 'name', 'The name field is required.'],
  ['name', 'ab', 'name', NAME_LENGTH],
  ['name', '😀😀', 'name', NAME_LENGTH],
  ['name', 'n'.repeat(256), 'name', NAME_LENGTH],
  ['name', '   ', 'name', 'The name field must not be blank.'],
  ['name', 'a\u0000bc', 'name', `The name field ${INVALID}`],
  ['name', 'abc\ud800', 'name', `The name field ${INVALID}`],
  ['name', 123, 'name', 'The name field must be a string.'],
  ['name', ['My Store'], 'name', 'The name field must be a string.'],
  ['name', { $ne: '' }, 'name', 'The name field must be a string.'],
  ['secret', null, 'secret', 'The secret field is required.'],
  ['secret', '', 'secret', 'The secret field is required.'],
  ['secret', ' \t', 'secret', 'The secret field must not be blank.'],
  ['secret', 's'.repeat(256), 'secret', 'The secret field must not be greater than 255 characters.'],
  ['secret', 's\u0000', 'secret', `The secret field ${INVALID}`],
  ['secret', 12345678, 'secret', 'The secret field must be a string.'],
  ['url', 'mystore.example', 'url', BAD_URL],
  ['url', '//mystore.example', 'url', BAD_URL],
  ['url', '/shop', 'url', BAD_URL],
  ['url', 'ftp://mystore.example', 'url', BAD_URL],
  ['url', 'javascript:alert(1)', 'url', BAD_URL],
  ['url', 'https://', 'url', BAD_URL],
  ['url', 'https://my store.example', 'url', BAD_URL],
  ['url', ' https://mystore.example', 'url', BAD_URL],
  ['url', '', 'url', BAD_URL],
  ['url', 'https://a.example/\u0000', 'url', `The url field ${INVALID}`],
  [
    'url',
    `https://a.example/${'u'.repeat(2031)}`,
    'url',
    'The url field must not be greater than 2048 characters.',
  ],
  ['url', 5, 'url', 'The url field must be a string.'],
  ['callbackUrl', 'https://user:pass@a.example/', 'callbackUrl', BAD_CALLBACK],
  ['callbackUrl', 'https:\\\\a.example', 'callbackUrl', BAD_CALLBACK],
  ['callbackUrl', 'https://a.example:99999/', 'callbackUrl', BAD_CALLBACK],
  ['callbackUrl', 'https://a.example/\n', 'callbackUrl', BAD_CALLBACK],
  ['callbackUrl', {}, 'callbackUrl', 'The callbackUrl field must be a string.'],
  ['currencyWhitelist', null, 'currencyWhitelist', 'The currencyWhitelist field is required.'],
  [
    'currencyWhitelist',
    'BTC',
    'currencyWhitelist',
    'The currencyWhitelist field must be an array of strings, e.g. ["first", "second"].',
  ],
  [
    'currencyWhitelist',
    { 0: 'BTC' },
    'currencyWhitelist',
    'The currencyWhitelist field must be an array of strings, e.g. ["first", "second"].',
  ],
  [
    'currencyWhitelist',
    ['BTC', 'XYZ'],
    'currencyWhitelist.1',
    `The selected currencyWhitelist.1 is invalid. ${CODES}`,
  ],
  [
    'currencyWhitelist',
    ['btc'],
    'currencyWhitelist.0',
    `The selected currencyWhitelist.0 is invalid. Did you mean BTC? ${CODES}`,
  ],
  [
    'currencyWhitelist',
    ['USD'],
    'currencyWhitelist.0',
    `The selected currencyWhitelist.0 is invalid. USD is a fiat currency. ${CODES}`,
  ],
  ['currencyWhitelist', ['ETH', 7], 'currencyWhitelist.1', 'The currencyWhitelist.1 field must be a string.'],
  ['currencyWhitelist', [null], 'currencyWhitelist.0', 'The currencyWhitelist.0 field is required.'],
  ['currencyWhitelist', ['B\u0000TC'], 'currencyWhitelist.0', `The currencyWhitelist.0 field ${INVALID}`],
  [
    'currencyWhitelist',
    ['BTC', 'ETH', 'BTC'],
    'currencyWhitelist.2',
    'The currencyWhitelist.2 field has a duplicate value.',
  ],
  [
    'currencyWhitelist',
    Array.from({ length: 101 }, () => 'BTC'),
    'currencyWhitelist',
    'The currencyWhitelist field must not have more than 100 items.',
  ],
  [
    'allowUnderpay',
    'true',
    'allowUnderpay',
    'The allowUnderpay field must be true or false, without quotes.',
  ],
  ['allowUnderpay', 1, 'allowUnderpay', 'The allowUnderpay field must be true or false, without quotes.'],
  ['allowOverpay', null, 'allowOverpay', 'The allowOverpay field is required.'],
  ['allowOverpay', [], 'allowOverpay', 'The allowOverpay field must be true or false, without quotes.'],
  ['events', null, 'events', 'The events field is required.'],
  [
    'events',
    'payment.expired',
    'events',
    'The events field must be an array of strings, e.g. ["first", "second"].',
  ],
  ['events', [], 'events', `${MUST_LIST} missing: ${STANDARD_EVENTS.join(', ')}.`],
  [
    'events',
    ['payment.expired', ...STANDARD_EVENTS.slice(1)],
    'events',
    `${MUST_LIST} missing: payment.received.`,
  ],
  [
    'events',
    [...STANDARD_EVENTS, 'payment.lost'],
    'events.4',
    expect.stringContaining('The selected events.4 is invalid.') as string,
  ],
  [
    'events',
    [...STANDARD_EVENTS, 'PAYMENT.FOUND'],
    'events.4',
    expect.stringContaining('The selected events.4 is invalid.') as string,
  ],
  ['events', [...STANDARD_EVENTS, 7], 'events.4', 'The events.4 field must be a string.'],
  ['events', [...STANDARD_EVENTS, 'payment.refund'], 'events.4', 'The events.4 field has a duplicate value.'],
  ['confirmations', null, 'confirmations', 'The confirmations field is required.'],
  [
    'confirmations',
    3,
    'confirmations',
    'The confirmations field must be an object of numbers by name, e.g. {"bitcoin": 3}.',
  ],
  [
    'confirmations',
    [3],
    'confirmations',
    'The confirmations field must be an object of numbers by name, e.g. {"bitcoin": 3}.',
  ],
  [
    'confirmations',
    'bitcoin',
    'confirmations',
    'The confirmations field must be an object of numbers by name, e.g. {"bitcoin": 3}.',
  ],
  [
    'confirmations',
    Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`chain-${i}`, 3])),
    'confirmations',
    'The confirmations field must not have more than 100 items.',
  ],
  ['confirmations', { bitcoin: '3' }, ...NO_INTEGER],
  ['confirmations', { bitcoin: 2.5 }, ...NO_INTEGER],
  ['confirmations', { bitcoin: true }, ...NO_INTEGER],
  ['confirmations', { bitcoin: null }, ...NO_INTEGER],
  ['confirmations', { bitcoin: { min: 3 } }, ...NO_INTEGER],
  ['confirmations', { bitcoin: 0 }, ...OUT_OF_RANGE],
  ['confirmations', { bitcoin: -1 }, ...OUT_OF_RANGE],
  ['confirmations', { bitcoin: 10_001 }, ...OUT_OF_RANGE],
  ['confirmations', { bitcoin: 1e20 }, ...OUT_OF_RANGE],
  [
    'confirmations',
    { bitcoin: 3 },
    'confirmations.bitcoin',
    'The selected confirmations.bitcoin is known, but not enabled on this gateway; none is enabled.',
  ],
  ['confirmations', { '': 3 }, 'confirmations', 'The selected confirmations is invalid.'],
];

describe('input of payment applications', () => {
  let gateway: TestGateway;
  let api: ApplicationsApi;

  beforeAll(async () => {
    gateway = await startTestGateway();
    api = new ApplicationsApi(gateway, await createOwner(gateway));
  });

  afterAll(() => gateway.close());

  describe.each(['POST', 'PUT'])('refused by %s', (method) => {
    let target: ApplicationDto;
    beforeAll(async () => {
      target = await api.create({ name: 'Untouched' });
    });

    it.each(WRONG_VALUES)('%s: %j', async (field, value, path, message) => {
      const before = await api.names('?trashed=with');
      const answer = await (method === 'POST'
        ? api.call('POST', APPLICATIONS, { name: 'My Store', secret: 'secret', [field]: value })
        : api.put(target.id, { [field]: value }));
      expect(answer).toMatchObject({
        status: 422,
        error: { code: 'validation_failed', message, errors: { [path]: [message] } },
      });
      expect(await api.names('?trashed=with')).toEqual(before);
      expect((await api.get(target.id)).data).toEqual(target);
    });
  });

  it('names every invalid field in one response', async () => {
    const { status, error } = await api.call('POST', APPLICATIONS, {
      url: 'x',
      currencyWhitelist: ['A', 'BTC', 'B'],
      confirmations: { bitcoin: 3 },
    });
    expect(status).toBe(422);
    expect(Object.keys(error.errors ?? {}).toSorted()).toEqual([
      'confirmations.bitcoin',
      'currencyWhitelist.0',
      'currencyWhitelist.2',
      'name',
      'secret',
      'url',
    ]);
    expect(error.message).toMatch(/ \(and 5 more errors\)$/);
  });

  it.each(['[]', '"text"', '17', 'null'])('rejects the body %s', async (body) => {
    expect(await api.call('POST', APPLICATIONS, body)).toMatchObject({
      status: 422,
      error: { code: 'validation_failed' },
    });
  });

  it('rejects a body that is not JSON', async () => {
    expect(await api.call('POST', APPLICATIONS, '{"name":')).toMatchObject({
      status: 400,
      error: { code: 'malformed_json' },
    });
  });
});

describe('the number of payment applications', () => {
  it('is limited per owner, also for concurrent requests', async () => {
    const gateway = await startTestGateway({ MAX_APPLICATIONS_PER_USER: '3' });
    try {
      const api = new ApplicationsApi(gateway, await createOwner(gateway));
      const post = () => api.call('POST', APPLICATIONS, { name: 'One of many', secret: 'secret' });
      const answers = await Promise.all(Array.from({ length: 6 }, post));
      const made = answers.filter(({ status }) => status === 201).map(({ data }) => data.id);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        201, 201, 201, 422, 422, 422,
      ]);
      expect(answers.find(({ status }) => status === 422)?.error.errors).toEqual({
        application: ['You already have 3 payment applications, which is the limit. Delete one first.'],
      });
      expect((await api.list('?trashed=with')).data).toHaveLength(3);

      const [first = ''] = made;
      await api.delete(first);
      const replacement = await post();
      expect(replacement.status).toBe(201);
      expect((await api.restore(first)).status).toBe(422);
      await api.delete(replacement.data.id);
      expect((await api.restore(first)).status).toBe(200);
    } finally {
      await gateway.close();
    }
  });
});

describe('the callback address in the production profile', () => {
  it('must be https, on an allowed port, and public', async () => {
    const gateway = await startTestGateway({
      NODE_ENV: 'production',
      BASE_URL: 'https://pay.example',
      CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:1',
    });
    try {
      const api = new ApplicationsApi(gateway, await createOwner(gateway));
      const { id } = await api.create({ callbackUrl: 'https://shop.example/hook' });
      const wrong: [string, string][] = [
        ['http://shop.example/hook', 'the URL is not https'],
        ['https://shop.example:25/hook', 'port 25 is neither 443 nor above 1023'],
        ['https://127.1/hook', 'the address is not public (loopback)'],
      ];
      for (const [callbackUrl, reason] of wrong) {
        const advice = reason.includes('loopback')
          ? ' Webhooks go to public https addresses; the operator of the gateway allows others by WEBHOOK_ALLOWED_CIDRS.'
          : '';
        const message = `The callbackUrl field must be an address that webhooks may go to: ${reason}.${advice}`;
        const refusal = { status: 422, error: { errors: { callbackUrl: [message] } } };
        expect(await api.put(id, { callbackUrl })).toMatchObject(refusal);
        const fields = { name: 'Shop', secret: 'secret', callbackUrl };
        expect(await api.call('POST', APPLICATIONS, fields)).toMatchObject(refusal);
      }
      for (const address of ['https://shop/hook', 'https://shop./hook']) {
        const message = (field: string) =>
          `The ${field} field must have a public host name, such as shop.example: a name without a dot is known in one network only.`;
        expect(await api.put(id, { callbackUrl: address, url: address })).toMatchObject({
          status: 422,
          error: { errors: { callbackUrl: [message('callbackUrl')], url: [message('url')] } },
        });
      }
      const { status, error } = await api.put(id, { callbackUrl: 'https://localhost/hook' });
      expect([status, error.message]).toEqual([422, expect.stringContaining('WEBHOOK_ALLOWED_CIDRS')]);
      expect((await api.list()).data).toHaveLength(1);
    } finally {
      await gateway.close();
    }
  });
});
