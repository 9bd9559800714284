/*
 * Which browser began a sign-in: a cookie for each sign-in that has not ended, which only this very host can set. The
 * authorization server's own cookies have a path, so that a page of any other host of the domain could plant them, and
 * let somebody finish a sign-in that an attacker began and resumes.
 */

/** A sign-in that this browser began, as its cookie says. */
export interface BegunSignIn {
  /** Of the interaction. */
  uid: string;
  /** Seconds of Unix time. */
  begunAt: number;
  /** Over both, under APP_KEYS. */
  mac: string;
}

/** Sign-ins that one browser can have begun and not ended: one in each of some windows. */
export const MAX_BEGUN = 8;

const NAME = 'oauth_binding-';
const VALUE = /^(\d{1,12})\.(m1\.[\w-]{1,16}\.[\w-]{43})$/;
const UID = /^[\w-]{1,64}$/;

/** The name of the cookie. `__Host-`: browsers take it from this host alone, with TLS and for every path (RFC 6265bis). */
export function bindingName(uid: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}${NAME}${uid}`;
}

/** The value of the cookie. */
export function bindingValue({ begunAt, mac }: BegunSignIn): string {
  return `${begunAt}.${mac}`;
}

/** The sign-ins in a Cookie header, none of which is authentic yet; malformed ones are left out. */
export function readBindings(header: string | undefined, isSecure: boolean): BegunSignIn[] {
  const prefix = bindingName('', isSecure);
  return (header ?? '').split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.trim().split(/=(.*)/s);
    if (!name.startsWith(prefix)) return [];
    const uid = name.slice(prefix.length);
    const [, begunAt, mac] = VALUE.exec(value) ?? [];
    return UID.test(uid) && begunAt && mac ? [{ uid, begunAt: Number(begunAt), mac }] : [];
  });
}

/** Those that make room for one more: all but the latest. */
export function surplusOf(begun: readonly BegunSignIn[]): BegunSignIn[] {
  return [...begun].sort((a, b) => b.begunAt - a.begunAt).slice(MAX_BEGUN - 1);
}
