import { editDistance, fold } from './platform/kernel/errors/similar-names.pure.js';

/** What begins like this is meant for the gateway, whatever follows. */
const OURS = /^(CHAIN|CHECKOUT|DATABASE|OAUTH|QUOTE|RATES|RATE_LIMIT|WALLET|WEBHOOK)_/;
/** Read by compose.yaml or by builds, which hand them on. */
const OF_OTHERS = /^(POSTGRES_|GATEWAY_|MIGRATOR_)/;
/** Letters and digits from which so many typing mistakes still mean the same name. */
const MISTAKES = [
  [10, 3],
  [7, 2],
  [5, 1],
] as const;

/** A variable that nothing reads. */
export interface UnreadSetting {
  name: string;
  /** The setting that its name resembles; null: none. */
  meant: string | null;
}

/**
 * Variables that are meant for the gateway and that nothing reads: a setting that is lost without a word is noticed when
 * customers share one limit, or not at all. Other programs' variables are in the same environment.
 * @param known names that are read
 */
export function unreadSettings(
  names: readonly string[],
  known: readonly string[],
  isRead: (name: string) => boolean,
): UnreadSetting[] {
  return names
    .filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name) && !isRead(name) && !OF_OTHERS.test(name))
    .toSorted()
    .flatMap((name) => {
      const meant = findMeant(name, known);
      return meant !== null || OURS.test(name) ? [{ name, meant }] : [];
    });
}

function findMeant(name: string, known: readonly string[]): string | null {
  const folded = fold(name);
  const ranked = known
    .map((one) => ({ one, length: fold(one).length, distance: editDistance(folded, fold(one)) }))
    .filter(({ length, distance }) => {
      const [, mistakes = 0] = MISTAKES.find(([least]) => Math.min(length, folded.length) >= least) ?? [];
      return distance <= mistakes;
    })
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.one ?? null;
}

/** One sentence; a name is no secret, its value is not repeated. */
export const describeUnread = ({ name, meant }: UnreadSetting): string =>
  `${name} is no setting${meant === null ? '' : `; did you mean ${meant}?`}`;
