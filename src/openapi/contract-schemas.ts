import type { Type } from '@nestjs/common';
import { reachableFrom, schemaOf, titleOf } from '../platform/web/contract/contract.js';
import type { Direction, NamedSchema } from '../platform/web/contract/field.js';
import type { Schemas } from '../platform/web/contract/json-schema.js';
import type { ResponseBody } from '../platform/web/contract/operation.js';
import { envelopeOf } from './envelopes.js';

/** `components.schemas`: the contract classes that operations use, and everything that these refer to. */
export class ContractSchemas {
  readonly components: Schemas = {};
  private readonly directions = new Map<NamedSchema, Direction>();
  private readonly byTitle = new Map<string, NamedSchema>();

  /** @throws Error when a class is used for both directions, has the title of another one, or is not described fully */
  add(contract: Type<object>, direction: Direction): void {
    for (const named of reachableFrom(contract)) {
      const title = titleOf(named);
      const other = this.byTitle.get(title) ?? named;
      if (other !== named)
        throw new Error(`${nameOf(other)} and ${nameOf(named)} have the same title ${title}`);
      const known = this.directions.get(named) ?? direction;
      if (typeof named === 'function' && known !== direction)
        throw new Error(`${named.name} is used in requests and in responses`);
      this.byTitle.set(title, named);
      this.directions.set(named, direction);
      this.components[title] ??= schemaOf(named, direction);
    }
  }

  /** The contract of a successful response, and the envelope around it. */
  addResponse(body: ResponseBody): void {
    if (body.item) this.add(body.item, 'response');
    const { name, schemas } = envelopeOf(body) ?? { name: '', schemas: {} };
    if (this.byTitle.has(name)) throw new Error(`a contract has the name of the envelope ${name}`);
    Object.assign(this.components, schemas);
  }
}

function nameOf(named: NamedSchema): string {
  return typeof named === 'function' ? named.name : `the enumeration ${named.title}`;
}
