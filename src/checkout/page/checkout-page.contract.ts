import { Text } from '../../platform/contract/fields.js';

/** Query of GET /checkout/{paymentId}, besides the signature of the link. Unknown values are ignored. */
export class CheckoutPageQuery {
  @Text({ optional: true, about: 'The blockchain that the customer chose.', example: 'ethereum' })
  provider?: string;

  @Text({ optional: true, about: 'The cryptocurrency that the customer chose.', example: 'usdc' })
  method?: string;

  @Text({ optional: true, about: 'Any value: show the list of ways to pay, although one is selected.' })
  choose?: string;

  @Text({
    optional: true,
    about: 'The language of the page; without it, the one that the browser prefers.',
    example: 'de',
  })
  lang?: string;
}
