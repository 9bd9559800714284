import { Contract } from '../../platform/web/contract/contract.js';
import { Choice, Count, TextList } from '../../platform/web/contract/fields.js';

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
