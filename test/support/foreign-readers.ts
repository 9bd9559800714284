import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import ts from 'typescript';
import { applyRules, fieldsOf } from '../../src/platform/web/contract/field.js';
import { readDraft } from '../../src/platform/web/contract/read-contract.js';

/** A function whose first parameter is text, bytes or an unknown value, and the types of its other ones. */
export interface Reader {
  place: string;
  first: string;
  rest: readonly string[];
}
type Read = (...values: unknown[]) => unknown;

const FIRST = /^(string|unknown|Buffer|Uint8Array)( \| (null|undefined))*$/;

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => /(?<!\.spec)\.ts$/.test(file))
    .toSorted();
}

/** The exported ones of a source file. */
export function readersIn(file: string): Reader[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) => {
    if (!ts.isFunctionDeclaration(statement) || !statement.name) return [];
    if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    const [first, ...rest] = statement.parameters;
    const type = first?.type?.getText() ?? '';
    if (!FIRST.test(type)) return [];
    const needed = rest.filter((one) => !one.questionToken && !one.initializer);
    const types = needed.map((one) => one.type?.getText() ?? '');
    return [{ place: `${file} ${statement.name.text}`, first: type, rest: types }];
  });
}

export async function functionOf({ place }: Reader): Promise<Read> {
  const [file = '', name = ''] = place.split(' ');
  const found = (await exportsOf(file))[name];
  if (typeof found !== 'function') throw new Error(`${place} is not there`);
  return found as Read;
}

/** A field of a body or a query, read with a value as it was sent. */
export interface FieldReader {
  place: string;
  read: (value: unknown) => unknown;
}

/**
 * Those of every contract class below a folder that can be read: one with a field without rules is only in responses. Of
 * fields whose rules and schema are the same, the first: a list of 900 fields has some 100 kinds.
 */
export async function fieldReaders(folder: string): Promise<FieldReader[]> {
  const readers = new Map<string, FieldReader>();
  for (const file of filesBelow(folder).filter((name) => name.endsWith('.contract.ts')))
    for (const contract of Object.values(await exportsOf(file)).filter(isClass)) {
      const fields = [...fieldsOf(contract)];
      if (fields.some(([, { rules }]) => !rules)) continue;
      // Rules are registered when a contract is read.
      applyRules(contract);
      for (const [name, { schema, convert, also = [] }] of fields) {
        const checks = [...rulesOf(contract, name), ...also.map(({ holds }) => holds)];
        const kind = [convert, ...checks, JSON.stringify(schema('body'))].join('\n');
        const read = (value: unknown) => readDraft(contract, { [name]: value });
        if (!readers.has(kind)) readers.set(kind, { place: `${contract.name}.${name}`, read });
      }
    }
  return [...readers.values()];
}

/** Name and bounds of each rule of a field. */
function rulesOf(contract: Type<object>, field: string): string[] {
  return getMetadataStorage()
    .getTargetValidationMetadatas(contract, '', false, false)
    .filter(({ propertyName }) => propertyName === field)
    .map(
      ({ name, type, constraints }) =>
        `${name ?? type} ${((constraints as unknown[] | undefined) ?? []).map(String).join()}`,
    );
}

/** An arrow function has no prototype. */
function isClass(value: unknown): value is Type<object> {
  return typeof value === 'function' && 'prototype' in value;
}

async function exportsOf(file: string): Promise<Record<string, unknown>> {
  return (await import(`../../${file.replace(/\.ts$/, '.js')}`)) as Record<string, unknown>;
}
