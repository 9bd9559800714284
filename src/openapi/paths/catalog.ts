import type { Parameter, Paths } from '../openapi-types.js';
import { data, operation } from '../operation.js';
import { list, ref } from '../schema.js';
import { EXAMPLE_BLOCKCHAIN, EXAMPLE_CURRENCY, EXAMPLE_RATE } from '../schemas/catalog.js';

const tag = 'Catalog';

function inPath(name: string, description: string, example: string): Parameter {
  return { name, in: 'path', required: true, description, schema: { type: 'string' }, example };
}

export const catalogPaths: Paths = {
  '/api/currencies': {
    get: operation({
      id: 'listCurrencies',
      tag,
      summary: 'List currencies',
      description:
        'All that prices can be in, and where coins can be paid with: `networks` with `enabled` are those that this gateway watches.',
      access: 'any-token',
      parameters: [
        {
          name: 'type',
          in: 'query',
          description: 'Of this kind only.',
          schema: { type: 'string', enum: ['crypto', 'fiat'] },
        },
      ],
      answers: { 200: data('The currencies.', list('The currencies.', ref('Currency')), [EXAMPLE_CURRENCY]) },
    }),
  },
  '/api/currencies/{code}': {
    get: operation({
      id: 'getCurrency',
      tag,
      summary: 'Get a currency',
      description: 'Its decimals, the bounds of an amount, and the networks of a coin.',
      access: 'any-token',
      parameters: [inPath('code', 'The currency; case-sensitive.', 'USDC')],
      answers: { 200: data('The currency.', ref('Currency'), EXAMPLE_CURRENCY) },
    }),
  },
  '/api/blockchains': {
    get: operation({
      id: 'listBlockchains',
      tag,
      summary: 'List blockchains',
      description:
        'Those that the gateway knows; `enabled` ones it watches. Confirmations and their bounds are here.',
      access: 'any-token',
      answers: {
        200: data('The blockchains.', list('The blockchains.', ref('BlockchainDetails')), [
          EXAMPLE_BLOCKCHAIN,
        ]),
      },
    }),
  },
  '/api/blockchains/{slug}': {
    get: operation({
      id: 'getBlockchain',
      tag,
      summary: 'Get a blockchain',
      description: 'Its chain id, explorer, confirmations, and whether this gateway watches it.',
      access: 'any-token',
      parameters: [inPath('slug', 'The blockchain.', 'ethereum')],
      answers: { 200: data('The blockchain.', ref('BlockchainDetails'), EXAMPLE_BLOCKCHAIN) },
    }),
  },
  '/api/rates': {
    get: operation({
      id: 'listRates',
      tag,
      summary: 'Get exchange rates',
      description: 'All of the pairs that were asked for, or a 503.',
      access: 'any-token',
      parameters: [
        {
          name: 'base',
          in: 'query',
          required: true,
          description: 'The currency to price.',
          schema: { type: 'string' },
          example: 'BTC',
        },
        {
          name: 'quote',
          in: 'query',
          required: true,
          description: 'The currencies of the prices, separated by commas.',
          style: 'form',
          explode: false,
          schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 10, uniqueItems: true },
          example: ['USD', 'EUR'],
        },
      ],
      answers: {
        200: data('The rates, in the order asked.', list('The rates.', ref('Rate')), [EXAMPLE_RATE]),
      },
    }),
  },
};
