import type { RequestFailureKind } from '../../platform/kernel/bounded-request.js';

/** Milliseconds from one question to the next. */
export const ASKED_EVERY = 86_400_000;
/** Milliseconds: one question that fails makes nothing unknown, two do. */
const KNOWN_FOR = 2 * ASKED_EVERY;
const MAX_LENGTH = 64;
/** semver.org 2.0.0, with the v of tags. The build of a version says nothing of its order. */
const VERSION =
  /^v?((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;

/** A row of newest_versions. */
export interface VersionRecord {
  answeredAt: Date | null;
  version: string | null;
  firstSeenAt: Date | null;
  unknown: RequestFailureKind | null;
  failure: string | null;
}

/** The newest version as far as somebody knows; what was known last stays beside `unknown`. */
export interface NewestVersion {
  version: string | null;
  /** When it was first seen. */
  since: Date | null;
  /** Than the one that runs; null: not known. */
  isNewer: boolean | null;
  /** When it was last asked successfully. */
  askedAt: Date | null;
  unknown: RequestFailureKind | 'not_set_up' | 'never' | 'outdated' | null;
  /** Why the last question brought nothing, in English. */
  failure: string | null;
}

/** Without `v` and build; null: no version. */
export function readVersion(text: string): string | null {
  const [, core, pre] = (text.length <= MAX_LENGTH && VERSION.exec(text)) || [];
  if (core === undefined) return null;
  return pre === undefined ? core : `${core}-${pre}`;
}

/** The version that an answer names: of GitHub, Gitea and GitLab (`tag_name`), or `version`. Null: it names none. */
export function readAnswer(body: string): string | null {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return null;
  }
  const { tag_name: tag, version } = Object(answer) as Record<string, unknown>;
  const named = tag ?? version;
  return typeof named === 'string' ? readVersion(named) : null;
}

/** Who runs a release is not told of versions before a release. Both without `v` and build. */
export function isNewer(candidate: string, running: string): boolean {
  const [theirs, ours] = [splitVersion(candidate), splitVersion(running)];
  if (theirs.pre.length > 0 && ours.pre.length === 0) return false;
  const order = compareParts(theirs.core, ours.core);
  if (order !== 0) return order > 0;
  // A version without this part comes after those with it.
  if (theirs.pre.length === 0 || ours.pre.length === 0) return ours.pre.length > theirs.pre.length;
  return compareParts(theirs.pre, ours.pre) > 0;
}

function splitVersion(version: string): { core: string[]; pre: string[] } {
  const dash = version.indexOf('-');
  if (dash < 0) return { core: version.split('.'), pre: [] };
  return { core: version.slice(0, dash).split('.'), pre: version.slice(dash + 1).split('.') };
}

/** Numbers by value, before words; words by their characters; what is longer comes later. */
function compareParts(a: readonly string[], b: readonly string[]): number {
  for (const [index, one] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    const [x, y] = isNumber ? [BigInt(one), BigInt(other)] : [one, other];
    if (x !== y) return x > y ? 1 : -1;
  }
  return a.length - b.length;
}

/** @param isAsked whether a source is set up */
export function newestVersionOf(
  record: VersionRecord | null,
  isAsked: boolean,
  running: string,
  now: Date,
): NewestVersion {
  const nothing = { version: null, since: null, isNewer: null, askedAt: null, failure: null };
  if (!isAsked) return { ...nothing, unknown: 'not_set_up' };
  const { version, firstSeenAt: since, answeredAt: askedAt, unknown, failure } = record ?? {};
  if (!version || !since || !askedAt)
    return { ...nothing, unknown: unknown ?? 'never', failure: failure ?? null };
  const isOld = now.getTime() - askedAt.getTime() > KNOWN_FOR;
  const ours = readVersion(running);
  // A version that was newer stays newer; that there is none is true only while somebody asks.
  const newer = ours === null ? null : isNewer(version, ours);
  return {
    version,
    since,
    isNewer: isOld && newer === false ? null : newer,
    askedAt,
    unknown: isOld ? (unknown ?? 'outdated') : null,
    failure: failure ?? null,
  };
}
