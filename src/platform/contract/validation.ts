import { amendField, type Rule } from './field.js';
import {
  type ChoiceMessage,
  notBlank,
  readAtomicAmount,
  readAtomicText,
  readBoolean,
  readChoice,
  readHttpUrl,
  readInstant,
  readIntegerMap,
  readQueryBoolean,
  readQueryInteger,
  readText,
  readTextArray,
  readTextMap,
  readUuid,
  type TextArrayRules,
  type TextMapRules,
} from './rules.js';

/* The decorators of classes that are not contracts yet: rules alone. New classes use those of fields.ts. */

export { must, refuse } from './field.js';

/**
 * Makes a decorator of a rule. A missing value never reaches `rule`. Of several rules on one field all must pass, and
 * the topmost says what the value becomes.
 */
export function FieldRule(_name: string, rule: Rule): PropertyDecorator {
  return (prototype, property) =>
    amendField(prototype, String(property), (field) => ({ ...field, rules: [...field.rules, rule] }));
}

export const IsOptionalField = (): PropertyDecorator => (prototype, property) =>
  amendField(prototype, String(property), (field) => ({ ...field, optional: true }));

export const IsNullableField = (): PropertyDecorator => (prototype, property) =>
  amendField(prototype, String(property), (field) => ({ ...field, nullable: true }));

export const IsText = (min: number, max: number) => FieldRule('', (value) => readText(value, min, max));
export const IsNotBlank = () => FieldRule('', notBlank);
export const IsUuidField = () => FieldRule('', readUuid);
export const IsHttpUrl = ({ maxLength = 2_048, httpsOnly = false } = {}) =>
  FieldRule('', (value) => readHttpUrl(value, maxLength, httpsOnly));
export const IsIsoInstant = () => FieldRule('', readInstant);
export const IsTrueBoolean = () => FieldRule('', readBoolean);
export const IsQueryBoolean = () => FieldRule('', readQueryBoolean);
export const IsAtomicAmount = ({ min, max }: { min?: bigint; max?: bigint } = {}) =>
  FieldRule('', (value) => readAtomicAmount(value, min, max));
export const IsAtomicText = ({ min, max }: { min?: bigint; max?: bigint } = {}) =>
  FieldRule('', (value) => readAtomicText(value, min, max));
export const IsOneOf = (choices: readonly string[], explain?: ChoiceMessage) =>
  FieldRule('', (value) => readChoice(value, choices, explain));
export const IsTextArray = (rules: TextArrayRules) => FieldRule('', (value) => readTextArray(value, rules));
export const IsIntegerMap = (count: number, min: number, max: number) =>
  FieldRule('', (value) => readIntegerMap(value, count, min, max));
export const IsTextMap = (rules: TextMapRules) => FieldRule('', (value) => readTextMap(value, rules));
export const IsQueryInteger = (min: number, max: number) =>
  FieldRule('', (value) => readQueryInteger(value, min, max));
