import type { AccountRole } from '../../kernel/account-roles.pure.js';
import type { Schema, Schemas } from './json-schema.js';

/** The parts of OpenAPI 3.1 that the document uses. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: Record<string, unknown> & { title: string; version: string };
  servers: Server[];
  tags: { name: string; description: string }[];
  paths: Paths;
  webhooks: Record<string, PathItem>;
  components: {
    schemas: Schemas;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    examples: Record<string, Example>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, unknown>;
  };
}

export interface Server {
  url: string;
  description: string;
  variables?: Record<string, { default: string; description: string }>;
}

export type Method = 'get' | 'post' | 'put' | 'delete';
export type PathItem = Partial<Record<Method, Operation>>;
export type Paths = Record<string, PathItem>;

export interface Ref {
  $ref: string;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  /** Empty: public. One entry of alternatives each. */
  security: Record<string, readonly string[]>[];
  parameters?: (Parameter | Ref)[];
  requestBody?: RequestBody;
  responses: Record<string, Response | Ref>;
  deprecated?: boolean;
  /** What members of the account need (specification/authentication.md#members); absent: the role does not count. */
  'x-least-role'?: AccountRole;
  /** Other paths of the same operation. */
  'x-also-served-at'?: readonly string[];
  /** For browsers only: not part of the API for programs. */
  'x-internal'?: true;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required?: boolean;
  deprecated?: boolean;
  style?: 'form';
  explode?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface RequestBody {
  description?: string;
  required: boolean;
  content: Record<string, MediaType>;
}

export interface MediaType {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, Example | Ref>;
}

export interface Example {
  summary: string;
  value: unknown;
}

export interface Header {
  description: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Ref>;
  content?: Record<string, MediaType>;
}
