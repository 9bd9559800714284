-- Tables that only triggers write (grants.ts): their trigger functions run with the rights of the schema's owner, so that
-- the gateway's role needs none (docs/decisions/0022-two-database-roles.md). The search path is fixed, so that no object of
-- the caller stands in for a table. Without EXECUTE nobody else can make a trigger of such a function; triggers that exist
-- do not need it.
do $$
declare
  name text;
begin
  foreach name in array array[
    'audit_log_chain', 'payment_transfers_hold_new', 'payment_transfers_hold_changed', 'payments_count_insert',
    'payments_count_move', 'webhook_deliveries_tell_insert', 'webhook_deliveries_tell_update',
    'webhook_deliveries_count_delete', 'payments_tell_insert', 'payments_tell_update',
    'payment_transfers_tell_insert', 'payment_transfers_tell_update', 'reported_transactions_tell_insert',
    'reported_transactions_tell_update', 'refunds_tell_insert', 'refunds_tell_update',
    'payment_applications_tell_insert', 'payment_applications_tell_update', 'sites_tell_insert', 'sites_tell_update',
    'wallet_choices_tell_insert', 'wallet_choices_tell_update', 'webhook_endpoints_tell_insert',
    'webhook_endpoints_tell_update', 'webhook_endpoints_tell_delete'
  ] loop
    execute format('alter function %I() security definer set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %I() from public', name);
  end loop;
end $$;
