/** What a link can name: a payment, a transaction or an address. */
const NAMED =
  /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:0x)?[0-9a-f]{64}|(?:[a-z]+:)?[0-9a-z]{25,90})$/i;
/** Letters of a hash or address that a shortened one still begins with; fewer would find others. */
const SHORTENED = /^([0-9a-z]{6,})(?:…|\.{3})[0-9a-z]*$/iu;

/**
 * What else somebody may mean by what they paste into a search, the likeliest first: a link of a checkout or an explorer, a
 * number with its sign or a word before it, a hash without 0x or shortened. What they wrote itself comes before all.
 */
export function spellingsOf(text: string): string[] {
  const written = text.trim();
  const [, number = written] = /^[#№]\s*(.+)$/su.exec(written) ?? [];
  const words = number.split(/\s+/u);
  const before = words.slice(0, -1);
  const [, beginning] = SHORTENED.exec(written) ?? [];
  return [
    ...new Set([
      text,
      ...(written.includes('/') ? written.split(/[/?#&=]/u).filter((part) => NAMED.test(part)) : []),
      ...(beginning === undefined ? [] : [beginning]),
      ...(/^[0-9a-f]{8,64}$/i.test(written) ? [`0x${written}`] : []),
      number,
      ...(words.length > 1 ? [words.join('-'), words.join('')] : []),
      // "Order 4711", and not the end of "47 11".
      ...(before.length > 0 && !before.some((word) => /\d/u.test(word)) ? words.slice(-1) : []),
    ]),
  ].filter((one) => one !== '');
}
