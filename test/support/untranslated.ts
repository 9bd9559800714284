/** Elements whose text is data: names, amounts, times, addresses. */
const DATA = new Set(['bdi', 'code', 'time', 'style', 'script', 'svg']);
/** Attributes that people read or hear. */
const READ = ['aria-label', 'title', 'alt', 'placeholder', 'data-announcement'];

/**
 * The texts of a page in the pseudo-locale that did not come from the messages: every message is in brackets there, and
 * what is outside of them must be data.
 * @param html as markup\`…\` builds it: with all special characters escaped
 */
export function untranslated(html: string): string[] {
  const found: string[] = [];
  const open: string[] = [];
  let depth = 0;
  for (const [piece] of html.matchAll(/<[^>]*>|[^<]+/g)) {
    const [, slash, name = ''] = /^<(\/?)(\w+)/.exec(piece) ?? [];
    if (slash) open.splice(open.lastIndexOf(name), 1);
    else if (name) {
      if (!/\/>$|^<(meta|link|input|br|wbr|path|circle|rect)\b/.test(piece)) open.push(name);
      found.push(...readAttributes(piece).filter((text) => !/^\[.*\]$/.test(text)));
    } else if (!piece.startsWith('<') && !open.some((element) => DATA.has(element))) {
      for (const letter of piece) {
        if (letter === '[') depth++;
        else if (letter === ']') depth--;
        else if (depth === 0 && /[\p{L}\p{N}]/u.test(letter)) {
          found.push(piece.trim());
          break;
        }
      }
    }
  }
  return found;
}

function readAttributes(tag: string): string[] {
  return READ.flatMap((name) => {
    const [, text = ''] = new RegExp(` ${name}="([^"]*)"`).exec(tag) ?? [];
    return text === '' ? [] : [text];
  });
}
