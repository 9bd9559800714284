/** A browser that has signed in to an account, as its cookie says. */
export interface KnownBrowser {
  userId: string;
  /** Random; the same browser has another one for each user. */
  browserId: string;
  /** Seconds of Unix time of its last sign-in. */
  signedInAt: number;
  /** Over the fields above, under APP_KEYS. */
  mac: string;
}

/** People who share a browser: the last few of them stay known in it. */
const MAX_USERS = 4;
/** Seconds since the last sign-in; browsers keep cookies for up to 400 days (RFC 6265bis). */
export const KNOWN_SECONDS = 365 * 86_400;

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ENTRY = new RegExp(`^(${ID}):(${ID}):(\\d{1,12}):(m1\\.[\\w-]{1,16}\\.[\\w-]{43})$`);

/** The entries of a cookie, none of which is authentic yet; malformed ones are left out. */
export function readBrowsers(value: string): KnownBrowser[] {
  return value.split('|', MAX_USERS).flatMap((entry) => {
    const [, userId, browserId, signedInAt, mac] = ENTRY.exec(entry) ?? [];
    return userId && browserId && signedInAt && mac
      ? [{ userId, browserId, signedInAt: Number(signedInAt), mac }]
      : [];
  });
}

/** The value of the cookie after a sign-in: that of the user first, and of the others the latest. */
export function writeBrowsers(signedIn: KnownBrowser, known: readonly KnownBrowser[]): string {
  const others = known.filter(({ userId }) => userId !== signedIn.userId);
  return [signedIn, ...others]
    .slice(0, MAX_USERS)
    .map(({ userId, browserId, signedInAt, mac }) => [userId, browserId, signedInAt, mac].join(':'))
    .join('|');
}

/** Whether the last sign-in is recent enough. A time ahead comes from another process's clock. */
export function isStillKnown({ signedInAt }: Pick<KnownBrowser, 'signedInAt'>, now: number): boolean {
  return now - signedInAt < KNOWN_SECONDS;
}
