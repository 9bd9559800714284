-- What operators watch.
-- Owner: src/operations.

-- One row: what the last run of verify found, for monitoring from outside. Written by reconciliation, which replaces it.
create table reconciliation_state (
  only_one boolean primary key default true check (only_one),
  finished_at timestamptz not null,
  differences bigint not null check (differences >= 0),
  -- Number of things that could not be compared, e.g. because a node was unavailable.
  left_out bigint not null check (left_out >= 0)
);

-- At most one row: how far verify has compared the payments, encrypted, so that no other writer can shorten a comparison.
-- Written by reconciliation.
create table reconciliation_progress (
  only_one boolean primary key default true check (only_one),
  sealed_progress text not null
);

-- At most one row: the verification that the gateway makes by itself, that is, which process makes it, and what of it is
-- shown. Written by reconciliation.
create table reconciliation_schedule (
  only_one boolean primary key default true check (only_one),
  lease_token uuid,
  lease_until timestamptz,
  full_requested_at timestamptz,
  started_at timestamptz,
  compared bigint not null default 0,
  check ((lease_token is null) = (lease_until is null))
);
