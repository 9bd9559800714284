import type { Client } from 'pg';

/**
 * What the dump knows how to write. Anything else (a view, a type, a policy) must fail the dump
 * rather than be missing from it.
 */
const UNKNOWN_OBJECTS = `
  select format('%s %s', case relkind when 'v' then 'view' when 'm' then 'materialized view' else relkind::text end, relname) as text
  from pg_class where relnamespace = 'public'::regnamespace and relkind not in ('r', 'i', 'S')
  union all
  select format('type %s', typname) from pg_type t
  where typnamespace = 'public'::regnamespace and typrelid = 0 and typelem = 0
  union all
  select format('column %s.%s', attrelid::regclass, attname) from pg_attribute
  join pg_class c on c.oid = attrelid and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  where attnum > 0 and (attidentity <> '' or attgenerated <> '' or attisdropped)
  union all
  select format('disabled trigger %s', tgname) from pg_trigger where tgenabled <> 'O'
  union all
  select format('policy %s', polname) from pg_policy
  union all
  select format('rule %s', rulename) from pg_rules where schemaname = 'public'
  union all
  select format('extension %s', extname) from pg_extension where extname <> 'plpgsql'`;

const SEQUENCES = `
  select format('create sequence %s as %s;', s.seqrelid::regclass, format_type(s.seqtypid, null)) as text
  from pg_sequence s order by s.seqrelid::regclass::text collate "C"`;

const TABLES = `
  select format(E'create table %s (\\n%s\\n);', c.relname, string_agg('  ' || p.line, E',\\n' order by p.rank, p.line collate "C")) as text
  from pg_class c
  cross join lateral (
    select attnum::int as rank,
      format('%I %s', attname, format_type(atttypid, atttypmod))
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid, true), '')
        || case when attnotnull then ' not null' else '' end as line
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and attnum > 0 and not attisdropped
    union all
    select 10000 + position(contype::text in 'pux'), format('constraint %I %s', conname, pg_get_constraintdef(oid, true))
    from pg_constraint where conrelid = c.oid and contype in ('p', 'u', 'x')
    union all
    select 20000, format('constraint %I %s', conname, pg_get_constraintdef(oid, true))
    from pg_constraint where conrelid = c.oid and contype = 'c'
  ) p
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  group by c.oid, c.relname order by c.relname collate "C"`;

/** Settings of tables, as of autovacuum. */
const SETTINGS = `
  select format('alter table %s set (%s);', oid::regclass, array_to_string(reloptions, ', ')) as text
  from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reloptions is not null
  order by relname collate "C"`;

/** Which column a sequence disappears with. */
const SEQUENCE_OWNERS = `
  select format('alter sequence %s owned by %s.%I;', d.objid::regclass, d.refobjid::regclass, a.attname) as text
  from pg_depend d join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
  where d.classid = 'pg_class'::regclass and d.deptype = 'a' and d.objid in (select seqrelid from pg_sequence)
  order by 1`;

const FOREIGN_KEYS = `
  select format('alter table %s add constraint %I %s;', conrelid::regclass, conname, pg_get_constraintdef(oid, true)) as text
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
  order by conrelid::regclass::text collate "C", conname collate "C"`;

const INDEXES = `
  select pg_get_indexdef(i.indexrelid, 0, true) || ';' as text
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace
    and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
  order by i.indrelid::regclass::text collate "C", c.relname collate "C"`;

const FUNCTIONS = `
  select rtrim(pg_get_functiondef(oid), E'\\n') || ';' as text
  from pg_proc where pronamespace = 'public'::regnamespace order by proname collate "C", oid::regprocedure::text`;

const TRIGGERS = `
  select pg_get_triggerdef(oid, true) || ';' as text
  from pg_trigger where not tgisinternal
  order by tgrelid::regclass::text collate "C", tgname collate "C"`;

const HEADER = '-- The schema after every migration. Written by `npm run schema:dump`; a test compares it.';

/** The schema of a database as SQL that makes it again: the same schema is always the same text. */
export async function schemaText(client: Client): Promise<string> {
  const texts = async (query: string): Promise<string[]> =>
    (await client.query<{ text: string }>(query)).rows.map(({ text }) => text);
  const unknown = await texts(UNKNOWN_OBJECTS);
  if (unknown.length > 0) throw new Error(`the schema dump cannot write: ${unknown.join(', ')}`);
  const paragraphs = [
    (await texts(SEQUENCES)).join('\n'),
    ...(await texts(TABLES)),
    (await texts(SETTINGS)).join('\n'),
    (await texts(SEQUENCE_OWNERS)).join('\n'),
    (await texts(FOREIGN_KEYS)).join('\n'),
    (await texts(INDEXES)).join('\n'),
    ...(await texts(FUNCTIONS)),
    (await texts(TRIGGERS)).join('\n'),
  ];
  return `${[HEADER, ...paragraphs].filter(Boolean).join('\n\n')}\n`;
}
