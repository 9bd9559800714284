-- Tables that only triggers write: their trigger functions run with the rights of the schema's owner, so that the
-- gateway's role needs none. The search path is fixed, so that no object of the caller stands in for a table. Without
-- EXECUTE nobody else can make a trigger of such a function; triggers that exist do not need it.
do $$
declare
  name text;
begin
  foreach name in array array['audit_log_chain', 'payment_transfers_hold_new', 'payment_transfers_hold_changed'] loop
    execute format('alter function %I() security definer set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %I() from public', name);
  end loop;
end $$;
