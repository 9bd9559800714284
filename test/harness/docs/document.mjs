// JSON of the documentation against the schemas of docs/openapi.json. What the text leaves out is written "…".
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const root = path.resolve(import.meta.dirname, '../../..');
const document = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8'));
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
const ELLIPSIS = '…';

export const schemaNamed = (name) => ({ $ref: `#/components/schemas/${name}` });

/** The schema of an answer: `GET /api/account`, of 200. */
export function answerOf(operation, status = '200') {
  const [method, address] = operation.split(' ');
  const answer = resolve(document.paths[address][method.toLowerCase()].responses[status]);
  return answer.content['application/json'].schema;
}

function resolve(node) {
  if (node.$ref === undefined) return node;
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((found, key) => found[key], document);
}

/**
 * What a reader of the schema would not expect of the value, a line each. Fields that the schema does not know are
 * refused: an example must not show what does not exist.
 */
export function jsonProblems(value, schema, at = 'it') {
  const node = resolve(schema);
  if (typeof value === 'string' && value.includes(ELLIPSIS)) return [];
  const choices = node.anyOf ?? node.oneOf;
  if (choices) {
    const results = choices.map((choice) => jsonProblems(value, choice, at));
    return (
      results.find((result) => result.length === 0) ?? results.toSorted((a, b) => a.length - b.length)[0]
    );
  }
  if (Array.isArray(value)) {
    if (!node.items) return [`${at} is no list`];
    return value.flatMap((item, index) => jsonProblems(item, node.items, `${at}.${index}`));
  }
  if (typeof value === 'object' && value !== null) return objectProblems(value, node, at);
  const { title: _title, ...leaf } = node;
  return ajv.validate(leaf, value) ? [] : [`${at}: ${ajv.errorsText()}`];
}

function objectProblems(value, node, at) {
  const others = node.additionalProperties;
  const missing = Object.hasOwn(value, ELLIPSIS)
    ? []
    : (node.required ?? []).filter((key) => !Object.hasOwn(value, key));
  return [
    ...missing.map((key) => `${at} lacks ${key}`),
    ...Object.entries(value).flatMap(([key, item]) => {
      if (key === ELLIPSIS) return [];
      const known = node.properties?.[key] ?? (typeof others === 'object' ? others : null);
      if (known) return jsonProblems(item, known, `${at}.${key}`);
      return others === true || (node.properties === undefined && others === undefined)
        ? []
        : [`${at}.${key} does not exist`];
    }),
  ];
}
