-- Second part: every row has its MAC, and none without one is accepted from here on.

alter table wallets alter column mac set not null, add check (mac ~ '^m1[.]');
-- 'm0.': an address whose wallet was not its user's when this ran. No key accepts it.
alter table deposit_addresses alter column mac set not null, add check (mac ~ '^m[01][.]');

create trigger wallets_guard before update or delete on wallets
  for each row execute function wallets_guard();
