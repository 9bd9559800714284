import { type Finding, Subject } from './finding.js';
import type { NewestVersion } from './newest-version.pure.js';

/** Milliseconds. */
const HOUR = 3_600_000;
const FIX = 'check UPDATE_CHECK_URL, and that this machine may connect to it';

export function assessVersion(newest: NewestVersion, running: string, now: Date): Finding {
  const about = new Subject('version');
  const { version, since, askedAt, unknown, failure } = newest;
  if (newest.isNewer === true && since !== null)
    return about.warning(
      `${running}; newest ${version}, since ${since.toISOString().slice(0, 10)}`,
      'read its notes and upgrade (docs/how-to/upgrade.md)',
    );
  if (unknown === 'not_set_up')
    return about.ok(`${running}; UPDATE_CHECK_URL is empty, so nobody is asked for a newer one`);
  if (unknown === 'never') return about.ok(`${running}; nobody was asked for a newer one yet`);
  if (unknown !== null)
    return about.warning(
      `${running}; whether there is a newer one is not known: ${failure ?? 'nobody has asked for too long'}`,
      FIX,
    );
  const hours = askedAt ? Math.floor((now.getTime() - askedAt.getTime()) / HOUR) : 0;
  return about.ok(`${running} is up to date, asked ${hours === 1 ? 'an hour' : `${hours} hours`} ago`);
}
