import { EXAMPLE_APPLICATION_ID } from '../applications/applications.contract.js';
import { LOCALES, type Locale } from '../platform/kernel/i18n/locale.pure.js';
import { Contract, enumeration } from '../platform/web/contract/contract.js';
import { Choice, Flag, TextList } from '../platform/web/contract/fields.js';
import { CHOSEN_KINDS, type ChosenKind } from './notice-kinds.pure.js';

/** More applications than a person can tick. */
const MAX_APPLICATIONS = 100;

const KIND = enumeration(
  'NoticeKind',
  'What a person can be told: `endpoint`, an endpoint has failed for 15 minutes, and when it works again; `attention`, how ' +
    'much needs attention, once a day; `refund`, a customer asks for money back; for operators `chain`, a blockchain ' +
    'stands still, and `backup`, the newest backup is too old.',
  CHOSEN_KINDS,
);

/** Body of PUT /api/account/notices. */
@Contract('SaveNotices', 'What you want to be told. Replaces what you chose before.')
export class SaveNoticesContract {
  @TextList({
    of: KIND,
    max: CHOSEN_KINDS.length,
    unique: true,
    about: 'None: nothing.',
    example: ['endpoint'],
  })
  kinds: ChosenKind[];

  @TextList({
    max: MAX_APPLICATIONS,
    unique: true,
    maxLength: 36,
    optional: true,
    nullable: true,
    about: 'Only of these payment applications; null or absent: of all that you may see.',
    example: [EXAMPLE_APPLICATION_ID],
  })
  paymentApplicationIds?: string[] | null;

  @Choice(LOCALES, { about: 'The language of your mails.', example: 'en' })
  language: Locale;
}

@Contract('Notices', 'What you are told by mail.')
export class NoticesContract {
  @Flag({ about: 'Whether this gateway sends mail at all.' })
  available: boolean;

  @TextList({ of: KIND, about: 'What you chose.', example: ['endpoint'] })
  kinds: ChosenKind[];

  @TextList({
    nullable: true,
    about: 'Only of these payment applications; null: of all that you may see.',
    example: [EXAMPLE_APPLICATION_ID],
  })
  paymentApplicationIds: string[] | null;

  @Choice(LOCALES, { about: 'The language of your mails.', example: 'en' })
  language: Locale;
}
