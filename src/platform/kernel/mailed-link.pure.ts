/*
 * Links that passed a mail program, a chat or a theme (specification/checkout.md#mailed-links). They are read where only
 * one link can be meant; whether it is a right one its signature, or the digest of its token, decides afterwards.
 */

/** Where links lead that are handed to people, with the form of the parameters that open them. */
const HEX64 = '([0-9a-f]{64})';
const LINKS: readonly { path: RegExp; secrets: Readonly<Record<string, string>> }[] = [
  {
    path: /^\/(?:checkout|receipt|refund|api\/checkout)\/[\w/-]+$/,
    secrets: { expires: '([1-9][0-9]{9,10})', signature: HEX64 },
  },
  { path: /^\/api\/oauth\/access-link$/, secrets: { token: '([\\w-]{43})' } },
];
const HANDED = /^\/(?:checkout|receipt|refund|api\/checkout|api\/oauth)\b/;
/** How often a link is decoded at most: programs that encode what is encoded do so twice or three times. */
const MAX_DECODINGS = 4;
/** They can only stand behind a link. */
const REFERENCES_BEHIND = /&(?:gt|lt|quot|apos|nbsp|#0*39|#0*34);/gi;
/** Including those that show nothing: mail programs break lines, and some chats mark where a line may break. */
const BLANKS = /[\s\u00ad\u200b-\u200d\u2060\ufeff]/g;
/** Quoted-printable writes = as =3D and ends a line in the middle of a word by another =. */
const QUOTED_PRINTABLE = /=3D/;

/**
 * The target of a request as it was meant, in its usual form; null: there is nothing to repair, or more than one link
 * could be meant.
 */
export function repairLink(target: string): string | null {
  if (!HANDED.test(target) || isUsual(target)) return null;
  const text = decode(target);
  const written = QUOTED_PRINTABLE.test(text) ? [text, unquote(text)] : [text];
  for (const form of written) {
    const meant = read(form.replace(BLANKS, ''));
    if (meant !== null) return meant === target ? null : meant;
  }
  return null;
}

function isUsual(target: string): boolean {
  const [path, query] = divide(target);
  const link = LINKS.find((one) => one.path.test(path));
  return (
    link !== undefined &&
    Object.entries(link.secrets).every(([name, form]) =>
      new RegExp(`(?:^|&)${name}=${form}(?:&|$)`).test(query),
    )
  );
}

function divide(target: string): [path: string, query: string] {
  const at = target.indexOf('?');
  return at === -1 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}

/** Percent-encoding and the character references of HTML, as often as there are any. */
function decode(target: string): string {
  let text = target;
  for (let turn = 0; turn < MAX_DECODINGS; turn++) {
    const decoded = text
      .replace(/(?:%[0-9a-f]{2})+/gi, decodeOnce)
      .replace(/&(?:amp|#0*38|#x0*26);/gi, '&')
      .replace(REFERENCES_BEHIND, '>');
    if (decoded === text) break;
    text = decoded;
  }
  return text;
}

function decodeOnce(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch (error) {
    // No UTF-8: it belongs to something else than the link.
    if (error instanceof URIError) return escapes;
    throw error;
  }
}

function unquote(text: string): string {
  return text.replace(/=(?!3D)\s*/g, '').replaceAll('=3D', '=');
}

/** @param text decoded, without blanks */
function read(text: string): string | null {
  const [path, query] = divide(text);
  const link = LINKS.find((one) => one.path.test(path));
  if (!link) return null;
  const meant = new URLSearchParams();
  const others: [string, string][] = [];
  for (const parameter of query.split('&')) {
    const [name, value] = split(parameter);
    const form = Object.hasOwn(link.secrets, name) ? link.secrets[name] : undefined;
    if (form === undefined) {
      if (name !== '') others.push([name, value]);
      continue;
    }
    // What stands behind the value belongs to the text around the link, unless it could belong to the value.
    const [, exact] = new RegExp(`^${form}(?:[^\\w-].*)?$`, 's').exec(value) ?? [];
    if (exact === undefined || meant.has(name)) return null;
    meant.set(name, exact);
  }
  if (meant.size < Object.keys(link.secrets).length) return null;
  for (const [name, value] of others) meant.append(name, value);
  return `${path}?${meant.toString()}`;
}

/** Programs that decode quoted-printable twice make one character of = and the two digits behind it. */
const DECODED_TWICE = /^(expires|signature)([^=])([0-9a-f]+)$/s;

function split(parameter: string): [name: string, value: string] {
  const [, name, character = '', rest = ''] = DECODED_TWICE.exec(parameter) ?? [];
  const code = character.charCodeAt(0);
  if (name !== undefined && code < 0x80) return [name, `${code.toString(16).padStart(2, '0')}${rest}`];
  const at = parameter.indexOf('=');
  return at === -1 ? [parameter, ''] : [parameter.slice(0, at), parameter.slice(at + 1)];
}
