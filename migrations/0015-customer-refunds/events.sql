-- What an application's `events` may list, and what its own events may be.
alter table sites drop constraint sites_events_check, add constraint sites_events_check check (
  events @> '{payment.received,payment.completed,payment.underpaid,payment.refund}'
  and events <@ '{payment.received,payment.completed,payment.underpaid,payment.refund,payment.found,payment.expired,payment.cancelled,wallet.changed,payment.refund_requested}'
);
alter table application_events drop constraint application_events_type_check, add constraint application_events_type_check
  check (type in ('wallet.changed', 'payment.refund_requested'));
