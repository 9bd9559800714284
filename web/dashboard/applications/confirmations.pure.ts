/**
 * What a form says of the blocks of each chain. An empty field leaves the usual number; what is no number is for the
 * gateway to refuse.
 */
export function readConfirmations(fields: readonly (readonly [slug: string, text: string])[]) {
  const entered = fields.filter(([, text]) => text.trim() !== '');
  return Object.fromEntries(entered.map(([slug, text]) => [slug, Number(text)]));
}
