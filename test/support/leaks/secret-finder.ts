/** Where a secret must not be. */
export type Place = 'answer' | 'log' | 'database';

/** A secret that was planted, or seen on its way in or out. */
export interface Secret {
  /** What it is, for people: `client token`, `database password`. */
  kind: string;
  /** Where finding it is a leak. */
  places: readonly Place[];
}

/** Shorter ones, and repetitions of a few characters, are found everywhere by chance. */
const MIN_LENGTH = 12;
const MIN_DISTINCT = 6;
const HEAD = 8;

/** Finds any number of secrets in one pass over a text, in the spellings that programs give them. */
export class SecretFinder {
  private readonly byHead = new Map<string, { spelling: string; secret: Secret }[]>();
  private readonly known = new Map<string, Secret>();
  /** Which first three characters are worth a look. */
  private readonly starts = new Uint8Array(65_536);

  get size(): number {
    return this.known.size;
  }

  /** The first word about a value holds. */
  add(value: string, secret: Secret): void {
    if (value.length < MIN_LENGTH || new Set(value).size < MIN_DISTINCT || this.known.has(value)) return;
    this.known.set(value, secret);
    for (const spelling of spellings(value)) {
      this.starts[startOf(spelling, 0)] = 1;
      const head = spelling.slice(0, HEAD);
      this.byHead.set(head, [...(this.byHead.get(head) ?? []), { spelling, secret }]);
    }
  }

  /** Kinds of the secrets that a text holds and that must not be in this place, with what stands before each. */
  find(text: string, place: Place): string[] {
    const found: string[] = [];
    for (let at = 0; at + HEAD <= text.length; at++) {
      if (this.starts[startOf(text, at)] === 0) continue;
      for (const { spelling, secret } of this.byHead.get(text.slice(at, at + HEAD)) ?? [])
        if (secret.places.includes(place) && text.startsWith(spelling, at))
          found.push(`${secret.kind} behind "${text.slice(Math.max(0, at - 60), at)}"`);
    }
    return found;
  }
}

function startOf(text: string, at: number): number {
  return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xffff;
}

/** Plain, escaped, and as bytes: Postgres prints bytea as hexadecimal. */
function spellings(value: string): Set<string> {
  const bytes = Buffer.from(value, 'utf8');
  // Its last characters depend on what follows.
  const base64 = bytes.toString('base64').replace(/.?.?=*$/, '');
  return new Set([
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
    bytes.toString('hex'),
  ]);
}
