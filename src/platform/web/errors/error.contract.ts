import { Contract } from '../contract/contract.js';
import { Choice, FieldOf, Text, Uuid } from '../contract/fields.js';
import { type ErrorCode, ERRORS } from '../../kernel/errors/error-catalog.pure.js';

/** The body of every error (specification/errors.md#body). */
@Contract(
  'Error',
  'What went wrong. Programs read `code`, people read `message`. Codes may be added: treat an unknown one like its status.',
)
export class ErrorContract {
  @Text({ about: 'For people; may change.', example: 'Too many requests' })
  message: string;

  @Choice(Object.keys(ERRORS), {
    about: 'Stable, for programs; docs/errors.md says how to handle each.',
    example: 'too_many_requests',
  })
  code: ErrorCode;

  @FieldOf(
    {
      schema: () => ({
        type: 'object',
        minProperties: 1,
        additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
      }),
    },
    {
      optional: true,
      about:
        'With a 422, and with `payment_method_not_found`: the reasons by field, items by their index, e.g. `currencyWhitelist.0`.',
    },
  )
  errors?: Record<string, string[]>;

  @Text({ optional: true, about: 'How to correct the request, in one sentence; may change.' })
  hint?: string;

  @Uuid({
    about: 'The `X-Request-Id` of the request that was refused first.',
    example: '6f6b1c7e-3d0a-4f3c-9a55-0d7d6f1b2c3e',
  })
  requestId: string;
}
