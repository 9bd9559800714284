import { IsIn } from 'class-validator';
import { FieldOf } from '../platform/web/contract/fields.js';
import { BLOCKCHAIN_SLUG } from '../platform/web/contract/json-schema.js';
import { says } from '../platform/web/contract/messages.js';
import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { chainMessage } from './chain-selection.pure.js';

const SLUGS = CHAIN_CATALOG.map(({ slug }) => slug);

/** One of the networks that there are, by its slug. */
export function BlockchainFilter(about: string): PropertyDecorator {
  return FieldOf(
    {
      schema: () => ({ type: 'string', ...BLOCKCHAIN_SLUG }),
      rules: [
        IsIn(
          SLUGS,
          says((field, sent) => chainMessage(field, sent, CHAIN_CATALOG)),
        ),
      ],
    },
    { optional: true, about, example: 'ethereum' },
  );
}
