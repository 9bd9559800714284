import { getMetadataStorage, IsInt, IsString, validateSync } from 'class-validator';
import './collect-rules-once.js';

class Named {
  @IsString()
  name: unknown;
}
class Counted extends Named {
  @IsInt()
  count: unknown;

  @IsInt({ groups: ['strict'] })
  strict: unknown;
}

const rulesOf = (contract: new () => object, groups?: string[]) =>
  getMetadataStorage().getTargetValidationMetadatas(contract, '', false, false, groups);
const refused = (fields: object, groups?: string[]) =>
  validateSync(Object.assign(new Counted(), fields), { ...(groups && { groups }) })
    .map(({ property }) => property)
    .toSorted();

describe('collecting the rules of a class once', () => {
  it('gives the same list at each validation, inherited rules included', () => {
    const rules = rulesOf(Counted);
    expect(rules.map(({ propertyName }) => propertyName)).toEqual(['count', 'strict', 'name']);
    expect(rulesOf(Counted)).toBe(rules);
    expect(getMetadataStorage().groupByPropertyName(rules)).toBe(
      getMetadataStorage().groupByPropertyName(rules),
    );
  });

  it('leaves the rules of the class that they are inherited from alone', () =>
    expect(rulesOf(Named).map(({ propertyName }) => propertyName)).toEqual(['name']));

  it('applies them to each object', () => {
    expect(refused({ name: 'a', count: 1, strict: 1 })).toEqual([]);
    expect(refused({ name: 1, count: 'a', strict: 1 })).toEqual(['count', 'name']);
    expect(refused({ name: 'a', count: 1, strict: 1 })).toEqual([]);
  });

  it('collects the rules of a group for each validation', () => {
    expect(rulesOf(Counted, ['strict'])).not.toBe(rulesOf(Counted, ['strict']));
    expect(refused({ name: 1, count: 'a', strict: 'a' }, ['strict'])).toEqual(['strict']);
    expect(refused({ name: 1, count: 'a', strict: 1 })).toEqual(['count', 'name']);
  });
});
