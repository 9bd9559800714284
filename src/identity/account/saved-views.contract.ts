import { Contract } from '../../platform/web/contract/contract.js';
import { Instant, TextMap } from '../../platform/web/contract/fields.js';

/** specification/authentication.md#saved-views */
export const VIEW_BOUNDS = { count: 50, maxKeyLength: 80, maxLength: 2_000, maxBytes: 32_768 };
const EXAMPLE_VIEWS = { 'Waiting for me': '/payments?status=UNDERPAID' };

/** Body of PUT /api/account/saved-views. */
@Contract('SaveViews', 'All views of the user.')
export class SaveViewsContract {
  @TextMap({
    ...VIEW_BOUNDS,
    about:
      'Texts by name, e.g. the address of a list with its filters: at most 50, names of 1 to 80 and values of up to 2,000 ' +
      'characters, 32,768 bytes as JSON in all. What is not sent is deleted.',
    example: EXAMPLE_VIEWS,
  })
  views: Record<string, string>;
}

@Contract('SavedViews', 'What the user has saved in a dashboard.')
export class SavedViewsContract {
  @TextMap({ ...VIEW_BOUNDS, about: 'Texts by name, as they were sent.', example: EXAMPLE_VIEWS })
  views: Record<string, string>;

  @Instant({ nullable: true, about: 'When they were last saved; null: never.' })
  updatedAt: string | null;
}
