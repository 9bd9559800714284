import { isDeepStrictEqual } from 'node:util';
import type { Type } from '@nestjs/common';
import { fieldSchema } from '../platform/web/contract/contract.js';
import { type Field, fieldsOf } from '../platform/web/contract/field.js';
import type { Parameter, Ref } from '../platform/web/contract/openapi-types.js';
import type { PathParameter } from '../platform/web/contract/operation.js';
import { IDEMPOTENCY_KEY_PATTERN } from '../platform/web/idempotency/idempotency-key.js';

/** The parameters that follow from the kind of an operation: signed link, Idempotency-Key, ETag. */
const GENERAL_PARAMETERS: Record<string, Parameter> = {
  Expires: {
    name: 'expires',
    in: 'query',
    required: true,
    description: 'Of the signed link: when it expires, in Unix seconds.',
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
      'body is processed once, and repeating it returns the first response.',
    schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN },
    example: '5f0c6f0e-6a4b-4a51-8f3e-9b8f3f1f6f11',
  },
  AccountHeader: {
    name: 'X-Account',
    in: 'header',
    description:
      'With an OAuth2 access token: the account of another user that the request is about, `accountId` of ' +
      '`GET /api/account/memberships`. Without it, your own.',
    // In any case, and no `format`: clients would get another type for it.
    schema: { type: 'string', pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' },
    example: '019a1c2e-5b7d-7c3a-9e41-2f6d8b0a4c11',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the response that you have.',
    schema: { type: 'string' },
    example: '"pZGm1Av0IEBKARczz7exkN"',
  },
};

/** A parameter of `components.parameters`. */
export function parameter(name: string): Ref {
  return { $ref: `#/components/parameters/${name}` };
}

/** `components.parameters`, by component name. */
export class SharedParameters {
  readonly components: Record<string, Parameter> = { ...GENERAL_PARAMETERS };

  ofPath(name: string, { about, example, schema, component }: PathParameter): Parameter | Ref {
    const described: Parameter = {
      name,
      in: 'path',
      required: true,
      description: about,
      schema: schema ?? { type: 'string' },
      example,
    };
    return this.share(described, component);
  }

  ofQuery(query: Type<object>): (Parameter | Ref)[] {
    return [...fieldsOf(query)]
      .filter(([, { isAlias }]) => !isAlias)
      .map(([name, field]) => this.share(queryParameter(name, field), field.component));
  }

  private share(described: Parameter, component: string | undefined): Parameter | Ref {
    if (component === undefined) return described;
    const known = this.components[component];
    if (known && !isDeepStrictEqual(known, described))
      throw new Error(`two different parameters have the component name ${component}`);
    this.components[component] = described;
    return parameter(component);
  }
}

function queryParameter(name: string, field: Field): Parameter {
  const { description = '', ...schema } = fieldSchema(field, 'query');
  return {
    name,
    in: 'query',
    ...(!field.optional && { required: true }),
    description,
    ...(field.deprecated && { deprecated: true }),
    // Lists in a query are separated by commas.
    ...(schema.type === 'array' && { style: 'form' as const, explode: false }),
    schema,
    ...(field.example !== undefined && { example: field.example }),
  };
}
