import { Text } from '../../platform/web/contract/fields.js';

/** Query of GET /checkout/{paymentId}, besides the signature of the link. Unknown values are ignored. */
export class CheckoutPageQuery {
  @Text({
    optional: true,
    about: 'Show this blockchain for confirmation; nothing is chosen.',
    example: 'ethereum',
  })
  provider?: string;

  @Text({
    optional: true,
    about: 'Show the blockchains of this cryptocurrency; nothing is chosen.',
    example: 'usdc',
  })
  method?: string;

  @Text({ optional: true, about: 'Any value: show the ways to pay, although one is selected.' })
  choose?: string;

  @Text({
    optional: true,
    about:
      'Show the form for a transaction that is not shown: any value, or what was wrong with the last one.',
  })
  paid?: string;

  @Text({
    optional: true,
    about: 'The language of the page; without it, the one that the browser prefers.',
    example: 'de',
  })
  lang?: string;

  @Text({
    optional: true,
    about: 'From the page itself, in a browser without cookies: it saw the payment while the link was valid.',
  })
  seen?: string;
}

/** The form of POST /checkout/{paymentId}/transaction. */
export class ReportFormContract {
  @Text({
    about: 'The id of the transaction, or a link to it in a block explorer.',
    example: `0x${'5c'.repeat(32)}`,
  })
  txHash: string;

  @Text({ optional: true, about: 'The slug of its blockchain.', example: 'ethereum' })
  provider?: string;
}

/** The form of POST /checkout/{paymentId}/choose. */
export class ChooseFormContract {
  @Text({ about: 'The slug of the blockchain.', example: 'ethereum' })
  provider: string;

  @Text({ about: 'The code of the cryptocurrency in lower case.', example: 'usdc' })
  method: string;
}
