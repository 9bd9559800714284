import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A restored backup, or a replica that takes over without the newest commits, has lost places of the feed that
 * readers already keep as their cursors: what comes now must stand behind them, or it is never read (api.md M).
 * The feed notices as wallets do (WalletLineage1795224000021), and skips.
 */
export class FeedLineage1795224000032 implements MigrationInterface {
  name = 'FeedLineage1795224000032';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Behind every place that any history of this feed has given out so far: microseconds since 1970. No feed gives
      -- out a million places a second, so none has overtaken the clock since it began, at 0 or by such a skip. A
      -- fixed step could not do: the same backup, restored twice, would give the same places twice. Good for bigint
      -- and for the 18 digits of a cursor, and exact as a JSON number until the year 2255. A clock that is behind the
      -- feed is wrong: then it is a billion places, more than a feed is likely to lose.
      create function event_feed_place_behind(place bigint) returns bigint language sql as $$
        select case when clock > place then clock else place + 1000000000 end
        from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as clock) now
      $$;

      alter table event_feed add column lineage text;
      -- Once without a reason, too: a restore before this release has gone unnoticed.
      update event_feed set last_position = event_feed_place_behind(last_position),
        lineage = database_lineage('event_feed'::regclass);

      create function event_feed_skip_lost_places() returns trigger language plpgsql as $$
      declare
        here constant text := database_lineage(tg_relid);
        place bigint;
      begin
        -- A backup carries the value of the place that it came from; after-restore leaves null.
        if old.lineage is not distinct from here then return new; end if;
        place := event_feed_place_behind(old.last_position);
        new.last_position := place + (new.last_position - old.last_position);
        new.lineage := here;
        raise warning 'event feed: the database is a restored one, or a replica that took over; the places % to % are skipped',
          old.last_position + 1, place;
        return new;
      end $$;
      create trigger event_feed_skip_lost_places before update of last_position on event_feed
        for each row execute function event_feed_skip_lost_places();
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('FeedLineage1795224000032 cannot be reverted; restore a backup instead');
  }
}
