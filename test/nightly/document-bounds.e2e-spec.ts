import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { UsersService } from '../../src/identity/oauth/people/users.service.js';
import type { Schema } from '../../src/platform/web/contract/json-schema.js';
import type { Parameter } from '../../src/platform/web/contract/openapi-types.js';
import { AccountApi } from '../support/account-api.js';
import { DOCUMENT } from '../support/contract/document-schemas.js';
import { type Edges, edgesOf } from '../support/contract/edge-values.js';
import { type Located, operationsOf, resolve } from '../support/contract/operations.js';
import { type CreatedPayment, WEBHOOK_SECRET } from '../support/merchant-api.js';
import { CONFIRMATIONS, Shop } from '../support/shop.js';

/*
 * The document states what the gateway takes: a value inside the bounds of a field is never refused for its form, one
 * outside always is. Each field and parameter is tried alone, in a request that is otherwise that of the example.
 */

interface Field {
  located: Located;
  place: Parameter['in'] | 'body';
  name: string;
  schema: Schema;
  /** The same in many operations: all its edges are tried in one of them. */
  isShared: boolean;
}

/** Refusals that name a field for what its value means; no bound of a text or a number could state them. */
const MEANINGS: readonly [field: RegExp, message: RegExp][] = [
  // Names nothing that there is, or is on here.
  [/./, /^The selected \S+ is invalid[.:]/],
  [/^(after|Last-Event-ID)$/, /must be (a cursor that|an id of this stream|meta\.cursor\.next)/],
  [/^timeZone$/, /must be the name of a time zone/],
  // Wrong, or no longer good.
  [/^currentPassword$/, /^The current password is not correct/],
  [/^(token|code)$/, /^The (invitation was used|code is not correct)/],
  // Not good enough.
  [/^newPassword$/, /one of the most common|not easy to guess|must be different/],
  [/^accent$/, /must be a darker color/],
  [/^content$/, /cannot be a logo/],
  // Any text is taken, so that the answer can say what a mistake is, e.g. a private key.
  [/^(extendedPublicKey|scriptType|txHash|address)$/, /./],
  [/^addresses$/, /is not the address that the gateway derives/],
  [/^callbackUrl$/, /must be an address that webhooks may go to/],
  // There are enough.
  [/^name$/, /^There are 20 OAuth clients/],
  [/^provider$/, /must be a blockchain on which/],
  // Against another field, the payment or the time.
  [/^(amount|amountAtomic|clientId)$/, /is required when|not be sent together/],
  [/^(amount|payoutAmount)$/, /not be greater than \d+ \(|is not enough|at least/],
  [/^currencyCode$/, /must be USD/],
  [/^siteId$/, /must be the site of/],
  [
    /^(expiresAt|from|to|dateFrom|dateTo|since|until)$/,
    /must be (between|a date|after|before)|from now|days/,
  ],
  [/^(amountFrom|amountTo)$/, /needs|requires|together/],
  // Bytes of the whole.
  [/^(metadata|views)$/, /bytes as JSON/],
];

/** Elsewhere: pages, which show what is wrong, and the authorization server, whose refusals are redirects. */
const isTried = ({ path, operation }: Located) =>
  !/^\/api\/oauth(\/|$)/.test(path) && !operation['x-internal'];

/** What {@link refusalsOf} cannot see in a response: the refusal has no field, because it may not say more. */
const REFUSALS: Record<string, string> = {
  'X-Account': 'account_not_found',
  expires: 'invalid_signature',
  signature: 'invalid_signature',
  paymentId: 'invalid_signature',
  refundId: 'invalid_signature',
};

const ajv = new Ajv2020({ strict: false, schemas: [{ ...DOCUMENT, $id: 'document' }] });
addFormats.default(ajv);
// A day that exists; the rest of the form is a pattern.
ajv.addFormat('date-time', (text: string) => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
});
for (const format of ['password', 'int32', 'int64']) ajv.addFormat(format, true);

const follow = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolve<Schema>(DOCUMENT, { $ref: schema.$ref });
/** Its references resolve outside of the document, too. */
const anchored = (schema: Schema) =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as Schema;

function fieldsOf(located: Located): Field[] {
  const { parameters = [], requestBody } = located.operation;
  const body = requestBody?.content['application/json'];
  const properties = body ? (follow(body.schema).properties ?? {}) : {};
  return [
    ...parameters.map((each): Field => {
      const { in: place, name, schema } = resolve<Parameter>(DOCUMENT, each);
      return { located, place, name, schema, isShared: '$ref' in each };
    }),
    ...Object.entries(properties).map(([name, schema]): Field => ({
      located,
      place: 'body',
      name,
      schema,
      isShared: false,
    })),
  ];
}

const asText = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value));

/** Whether a value can be sent where the field stands, and is there what it was. */
function isSendable({ place, schema }: Field, value: unknown): boolean {
  if (place === 'body') return JSON.stringify(value).length < 60_000;
  const text = asText(value);
  const isNumber = [schema.type].flat().includes('integer');
  if (typeof value === 'number' ? !isNumber : typeof value === 'object' && !Array.isArray(value))
    return false;
  // Longer ones are refused as an address.
  if (text === '' || text.length > 2_500 || (Array.isArray(value) && value.some(Array.isArray))) return false;
  if (place === 'path') return !/^\.{1,2}$|\//.test(text);
  return place === 'query' || /^[!-~]([ -~]*[!-~])?$/.test(text);
}

/** A host that cannot be: no pattern could tell. */
const isNoHost = (value: unknown) =>
  typeof value === 'string' && value.includes('://') && !URL.canParse(value);

const triedInFull = new Set<string>();

function edgesOfField(field: Field): Edges {
  const { schema, place, name, isShared } = field;
  const edges = edgesOf(schema, ajv.compile(anchored(schema)), follow, (value) => isSendable(field, value));
  const inside = edges.inside.filter((value) => !isNoHost(value));
  const key = `${place} ${name}`;
  if (!isShared || !triedInFull.has(key)) {
    triedInFull.add(key);
    return { inside, outside: edges.outside };
  }
  return { inside: inside.slice(0, 1), outside: edges.outside.slice(0, 1) };
}

interface Answer {
  status: number;
  code?: string;
  message?: string;
  hint?: string;
  errors?: Record<string, string[]>;
}

let shop: Shop;
let person: AccountApi;
let application: { id: string; clientId: string; site: { id: string } };
let paid: CreatedPayment;
let refund: { id: string; claimUrl: string };
let ids: Record<string, string>;

const call = async <T>(path: string, body: unknown) =>
  (await shop.call<T>('POST', path, person.accessToken, body)).body.data;
const createPayment = () =>
  call<CreatedPayment>('/api/payment/checkout', {
    amount: 10_000,
    currencyCode: 'USD',
    reference: 'BOUNDS',
    referenceLabel: 'Bounds',
    clientId: application.clientId,
  });

beforeAll(async () => {
  shop = await Shop.open();
  person = await AccountApi.open(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(person.user.id, true);
  application = await call('/api/payment-applications', { name: 'Bounds', secret: WEBHOOK_SECRET });
  paid = await createPayment();
  await shop.send(await shop.instructions(paid));
  await shop.mine(CONFIRMATIONS);
  refund = await call(`/api/payment/${paid.id}/refunds`, { amount: 100 });
  ids = {
    id: application.id,
    siteId: application.site.id,
    clientId: application.clientId,
    paymentId: paid.id,
    refundId: refund.id,
    userId: person.user.id,
    accountId: person.user.id,
  };
});
afterAll(() => shop.close());

/** What requests change for the worse is new for each: its id stands for the one of its name. */
async function ownIds({ method, operation }: Located): Promise<Record<string, string>> {
  // Nothing is deleted that the other requests need.
  if (method === 'delete') return {};
  if (operation.operationId === 'cancelPayment') return { ...ids, paymentId: (await createPayment()).id };
  return ids;
}

/** The request of the example, with the value for the field. */
async function send({ located, place, name }: Field, value: unknown): Promise<Answer> {
  const { operation, method } = located;
  const own = await ownIds(located);
  const link = new URL(located.path.includes('{refundId}') ? refund.claimUrl : paid.checkoutUrl).searchParams;
  const query = new URLSearchParams();
  const headers: Record<string, string> = { authorization: `Bearer ${person.accessToken}` };
  let { path } = located;
  for (const each of operation.parameters ?? []) {
    const parameter = resolve<Parameter>(DOCUMENT, each);
    const isTested = parameter.in === place && parameter.name === name;
    if (!isTested && !parameter.required) continue;
    const usual = link.get(parameter.name) ?? own[parameter.name] ?? parameter.example;
    const text = asText(isTested ? value : usual);
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(text));
    else if (parameter.in === 'query') query.set(parameter.name, text);
    else headers[parameter.name] = text;
  }
  const example = operation.requestBody?.content['application/json']?.example as object | undefined;
  if (example) headers['content-type'] = 'application/json';
  const body = { ...example, ...(place === 'body' && { [name]: value }) };
  const response = await fetch(`${shop.gateway.baseUrl}${path}?${query.toString()}`, {
    method: method.toUpperCase(),
    headers,
    ...(example && { body: JSON.stringify(body) }),
  });
  if (!/^application\/json(;|$)/.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel();
    return { status: response.status };
  }
  return { ...((await response.json()) as Omit<Answer, 'status'>), status: response.status };
}

/** What an answer says against the form of the field. */
function refusalsOf(
  { place, name }: Field,
  { status, message = '', hint = '', errors = {}, code }: Answer,
): string[] {
  if (code !== undefined && REFUSALS[name] === code) return [message];
  if (place === 'path') return status === 404 ? [hint] : [];
  if (place === 'header' && status === 400 && message.includes(name)) return [message];
  const named = Object.entries(errors).filter(([key]) => key === name || key.startsWith(`${name}.`));
  return status === 422 ? named.flatMap(([, messages]) => messages) : [];
}

/** Of a path that is well-formed nothing but what it names is wrong. */
const isMeant = ({ place, name }: Field, said: string) =>
  place === 'path'
    ? !/is not one|looks like/.test(said)
    : REFUSALS[name] !== undefined ||
      MEANINGS.some(([field, message]) => field.test(name) && message.test(said));

describe('the document', () => {
  const tried = operationsOf(DOCUMENT).filter((located) => isTried(located) && fieldsOf(located).length > 0);

  it('has many operations with parameters or fields', () => {
    expect(tried.length).toBeGreaterThan(80);
  });

  it.each(tried.map((located) => [located.name, located] as const))(
    'states what %s takes',
    async (_name, located) => {
      const wrong: string[] = [];
      for (const field of fieldsOf(located)) {
        const { inside, outside } = edgesOfField(field);
        expect([field.name, inside.length > 0]).toEqual([field.name, true]);
        const note = (kind: string, value: unknown, { status, code, errors }: Answer) => {
          const shown = [
            JSON.stringify(value).slice(0, 80),
            status,
            code,
            JSON.stringify(errors)?.slice(0, 200),
          ];
          wrong.push(`${field.place} ${field.name} ${kind} ${shown.join(' ')}`);
        };
        for (const value of inside) {
          const answer = await send(field, value);
          const about = refusalsOf(field, answer).filter((said) => !isMeant(field, said));
          if (about.length > 0 || answer.status >= 500)
            note('is refused inside of its bounds:', value, answer);
        }
        for (const value of outside) {
          const answer = await send(field, value);
          if (refusalsOf(field, answer).length === 0) note('is taken outside of its bounds:', value, answer);
        }
      }
      expect(wrong).toEqual([]);
    },
  );
});
