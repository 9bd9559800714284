-- The two roles of the gateway's database: the owner of the schema, and the gateway itself. For psql, as a superuser, in
-- the gateway's database; the passwords are in the environment. Can be run again: passwords are set anew, and what
-- another role owned before (one role for all) goes to the owner. The rights of gateway_app come with the migrations.
\set ON_ERROR_STOP on
\getenv migrator_password MIGRATOR_DATABASE_PASSWORD
\getenv gateway_password GATEWAY_DATABASE_PASSWORD

begin;

select format('create role %I', name)
from unnest(array['gateway_migrator', 'gateway_app']) as name
where not exists (select from pg_roles where rolname = name) \gexec
alter role gateway_migrator login password :'migrator_password';
alter role gateway_app login password :'gateway_password';
-- The timeouts that the gateway sets for its sessions, for poolers in transaction mode (milliseconds).
alter role gateway_app set statement_timeout = 10000;
alter role gateway_app set idle_in_transaction_session_timeout = 15000;
alter role gateway_app set lock_timeout = 5000;

select format('alter database %I owner to gateway_migrator', current_database()) \gexec
select format('revoke all on database %I from public', current_database()) \gexec
select format('grant connect on database %I to gateway_app', current_database()) \gexec
revoke create on schema public from public;
grant usage, create on schema public to gateway_migrator;

-- Sequences follow their tables.
select format('alter table %s owner to gateway_migrator', oid::regclass)
from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') \gexec
select format('alter routine %s owner to gateway_migrator', p.oid::regprocedure)
from pg_proc p
where pronamespace = 'public'::regnamespace
  and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') \gexec

commit;
