import { Contract } from '../platform/web/contract/contract.js';
import { FieldOf, Text } from '../platform/web/contract/fields.js';

const ANY_OBJECT = { schema: () => ({ type: 'object', additionalProperties: true }) as const };

@Contract('OpenApiDocument', 'This document.', { additionalProperties: true })
export class OpenApiDocumentContract {
  @Text({ about: 'The version of the specification.', example: '3.1.0' })
  openapi: string;

  @FieldOf(ANY_OBJECT, {
    about: 'About the API.',
    example: { title: 'Crypto Payment Gateway', version: '0.1.0' },
  })
  info: Record<string, unknown>;

  @FieldOf(ANY_OBJECT, { about: 'The operations.', example: {} })
  paths: Record<string, unknown>;
}
