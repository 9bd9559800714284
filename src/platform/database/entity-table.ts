import { type EntityTarget, getMetadataArgsStorage, type ValueTransformer } from 'typeorm';

export type EntityClass<E extends object> = new () => E;
/** A property of an entity that is a column. */
export type Property<E extends object> = Extract<keyof E, string>;

/** A column as the entity's decorator declares it. */
export interface TableColumn {
  property: string;
  name: string;
  /** The type of the column in SQL, e.g. `uuid`; of an array column, that of its elements. */
  type: string;
  isArray: boolean;
  isSelected: boolean;
  /** Part of the primary key. */
  isPrimary: boolean;
  transformer: ValueTransformer | null;
}

/** What statements need to know about a table, read from the decorators of its entity. */
export interface EntityTable {
  name: string;
  columns: ReadonlyMap<string, TableColumn>;
}

const tables = new WeakMap<object, EntityTable>();

/** @throws Error when the class is no entity, or a column declares no type */
export function tableOf<E extends object>(entity: EntityClass<E>): EntityTable {
  const known = tables.get(entity);
  if (known) return known;
  const table = readTable(entity);
  tables.set(entity, table);
  return table;
}

/** For statements over tables of several modules, whose entities are internal to these. @throws Error when there is none */
export function tableNamed(name: string): EntityTable {
  const declared = getMetadataArgsStorage().tables.find((table) => table.name === name);
  if (typeof declared?.target !== 'function') throw new Error(`no entity declares the table ${name}`);
  return tableOf(declared.target as EntityClass<object>);
}

/** @throws Error when the property is no column of the entity, e.g. a relation */
export function columnOf<E extends object>(entity: EntityClass<E>, property: string): TableColumn {
  const column = tableOf(entity).columns.get(property);
  if (!column) throw new Error(`${entity.name}.${property} is not a column`);
  return column;
}

function readTable<E extends object>(entity: EntityClass<E>): EntityTable {
  const storage = getMetadataArgsStorage();
  const declared = storage.tables.find(({ target }) => target === (entity as EntityTarget<E>));
  if (!declared?.name) throw new Error(`${entity.name} is not an entity with a table name`);
  const columns = storage
    .filterColumns(entity)
    .map(
      ({
        propertyName: property,
        options: { name = property, type, array, select, primary, transformer },
      }) => {
        if (typeof type !== 'string') throw new Error(`${entity.name}.${property} declares no SQL type`);
        if (Array.isArray(transformer))
          throw new Error(`${entity.name}.${property} has several transformers`);
        const isArray = array === true;
        return [
          property,
          {
            property,
            name,
            type,
            isArray,
            isSelected: select !== false,
            isPrimary: primary === true,
            transformer: transformer ?? null,
          },
        ] as const;
      },
    );
  return { name: declared.name, columns: new Map(columns) };
}
