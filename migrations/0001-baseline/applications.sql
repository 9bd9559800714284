-- Applications of merchants and their settings.
-- Owner: src/applications.

-- One row per payment application of a merchant. Written by the applications module.
-- Never deleted: deleted_at hides it, because payments refer to it.
create table payment_applications (
  id uuid primary key,
  user_id text not null,
  name text not null check (length(name) between 3 and 255),
  client_id text not null check (client_id ~ '^[a-z0-9]{32}$'),
  -- Webhook signing secret, sealed (AES-256-GCM) and not hashed: signing needs it in clear.
  sealed_secret text not null,
  sealed_previous_secret text,
  -- Until then the previous secret signs beside the new one.
  previous_secret_until timestamptz,
  -- Empty: all currencies.
  currency_whitelist text[] not null default '{}',
  created_at timestamptz not null,
  deleted_at timestamptz,
  unique (id, user_id),
  check ((sealed_previous_secret is null) = (previous_secret_until is null))
);
create unique index payment_applications_client_id_key on payment_applications (client_id);
create index payment_applications_owner on payment_applications (user_id, created_at desc, id desc);

-- One row per application: its site and payment settings. Written by the applications module. Never deleted.
create table sites (
  id uuid primary key,
  application_id uuid not null unique,
  user_id text not null,
  title text not null,
  url text,
  callback_url text,
  setting_id uuid not null,
  setting_title text not null default 'Default Settings',
  allow_overpay boolean not null default true,
  allow_underpay boolean not null default false,
  -- Hundredths of a percent of the amount due: an underpayment of less is never accepted by itself, and so much may be
  -- missing of what counts as paid in full.
  underpay_least_share_bps integer not null default 9500 check (underpay_least_share_bps between 1 and 10000),
  underpay_tolerance_bps integer not null default 0 check (underpay_tolerance_bps >= 0),
  -- By chain, e.g. {"bitcoin": 3}; whole numbers from 1, because nothing unconfirmed ever counts.
  confirmations jsonb not null default '{}'
    check (
      jsonb_typeof(confirmations) = 'object'
      and not jsonb_path_exists(confirmations, 'strict $.* ? (@.type() != "number" || @ < 1 || @ != @.floor())')
    ),
  -- Event types that are delivered; the first four always are.
  events text[] not null
    default '{payment.received,payment.completed,payment.underpaid,payment.refund}'
    check (
      events @> '{payment.received,payment.completed,payment.underpaid,payment.refund}'
      and events <@ '{payment.received,payment.completed,payment.underpaid,payment.refund,payment.found,payment.expired,payment.cancelled,wallet.changed,payment.refund_requested}'
    ),
  -- Since when payment.expired is listed: links that expired before are never announced.
  expired_since timestamptz,
  -- Over the settings that money follows, and over the branding.
  mac text,
  -- Branding (specification/applications.md#branding); null: none.
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  support_url text,
  default_language text,
  logo_id uuid,
  -- SHA-256 of the logo, in hexadecimal.
  logo_hash text check (logo_hash ~ '^[0-9a-f]{64}$'),
  foreign key (application_id, user_id) references payment_applications (id, user_id),
  constraint sites_tolerance_check check (underpay_tolerance_bps <= 10000 - underpay_least_share_bps),
  constraint sites_expired_since_check check (('payment.expired' = any (events)) = (expired_since is not null)),
  constraint sites_logo_check check ((logo_id is null) = (logo_hash is null))
);

-- One row per application with a logo, as it is served: a checked PNG or SVG. sites.logo_hash is its hash. Written and
-- replaced by the applications module; deleted when the logo is removed.
create table application_logos (
  application_id uuid primary key references payment_applications (id),
  content bytea not null constraint application_logos_size_check check (length(content) between 1 and 65536),
  created_at timestamptz not null
);
