import type { Parameter } from './openapi-types.js';

export const EXAMPLE_PAYMENT_ID = '550e8400-e29b-41d4-a716-446655440000';
export const EXAMPLE_APPLICATION_ID = '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69';

function id(name: string, description: string, example: string): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string', format: 'uuid' },
    example,
  };
}

/** `components.parameters`: what several operations take. */
export const PARAMETERS: Record<string, Parameter> = {
  ApplicationId: id('id', 'The payment application: its UUID, not its `clientId`.', EXAMPLE_APPLICATION_ID),
  Expires: {
    name: 'expires',
    in: 'query',
    required: true,
    description: 'Of the signed link: when it ends, in Unix seconds.',
    schema: { type: 'string', pattern: '^[1-9][0-9]{9,10}$' },
    example: '1773576000',
  },
  Signature: {
    name: 'signature',
    in: 'query',
    required: true,
    description: 'Of the signed link: HMAC-SHA256 in lower-case hex.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    example: '8bcb8232f77ead3d3e6d8220a4dd4512c5b2bd95683e8add8e9fb12229804e53',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      '1 to 255 printable ASCII characters, bare or in double quotes. Within 24 hours a request with the same key and ' +
      'body acts once, and answers what the first one did.',
    schema: { type: 'string', minLength: 1, maxLength: 257 },
    example: '5f0c6f0e-6a4b-4a51-8f3e-9b8f3f1f6f11',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the answer that you have.',
    schema: { type: 'string' },
    example: '"pZGm1Av0IEBKARczz7exkN"',
  },
};
