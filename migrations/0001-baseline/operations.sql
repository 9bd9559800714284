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
