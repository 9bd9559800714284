import { Contract } from '../../platform/web/contract/contract.js';
import { Choice, Count, FieldOf, TextList } from '../../platform/web/contract/fields.js';
import { wholeNumber } from '../../platform/web/contract/json-schema.js';
import { rule } from '../../platform/web/contract/rules.js';
import { GAP } from './address-gap.pure.js';

/** What is known of the addresses of a key that were used before it was set (specification/wallets.md#earlier-use). */
@Contract(
  'EarlierUse',
  'Whether another program has handed out addresses of this key, as the blockchains show it.',
)
export class EarlierUseContract {
  @Choice(['known', 'unknown'], {
    about:
      '`unknown`: not every blockchain has been asked yet, because its node does not answer or takes minutes. The ' +
      'gateway asks again by itself.',
    example: 'known',
  })
  state: 'known' | 'unknown';

  @Count({
    about: 'How many addresses the gateway passed over, because they, or later ones, were used before.',
    example: 12,
  })
  skippedAddresses: number;

  @Count({
    nullable: true,
    about: 'The index that it went on with. Null: it has passed over none.',
    example: 12,
  })
  continuedAt: number | null;

  @TextList({
    about:
      'Blockchains whose source cannot say which addresses were used: Tron, and those read from an Esplora endpoint.',
    example: [],
  })
  unseenOn: string[];
}

/** Why a wallet program may not show what was paid (specification/wallets.md#gaps). */
@Contract('AddressGap', 'How far a wallet program must look ahead to find every payment.')
export class AddressGapContract {
  @Count({
    about:
      'The longest run of addresses, among the newest 10,000, that were handed out one after the other and not paid.',
    example: 27,
  })
  longest: number;

  @Count({
    about: 'The gap limit to set in the wallet program. 20 is what most have anyway.',
    example: 100,
  })
  gapLimit: number;

  @Count({
    about:
      'What you said that the wallet program has; 20 before you said it. Attention has a run that is as long.',
    example: 20,
  })
  statedGapLimit: number;
}

const MOST = 1_000_000;

/** Body of PUT /api/payment-applications/{id}/wallets/{family}/gap-limit and the same of an account. */
@Contract('StateGapLimit', 'How far your wallet program looks ahead.')
export class StateGapLimitContract {
  @FieldOf(
    {
      schema: () => wholeNumber(GAP, MOST),
      rules: [
        rule('gapLimit', (value) =>
          typeof value === 'number' && Number.isSafeInteger(value) && value >= GAP && value <= MOST
            ? null
            : `be an integer from ${GAP} to ${MOST}`,
        ),
      ],
    },
    { about: 'The gap limit that is set in your wallet program.', example: 100 },
  )
  gapLimit: number;
}
