/** Who quoted a price, of what the API says about its source: `median(kraken,coinbase)`, or one name. */
export function sourceNames(source: string): string {
  const [, listed = source] = /^\w+\((.*)\)$/.exec(source) ?? [];
  return listed
    .split(',')
    .map((name) => name.charAt(0).toUpperCase() + name.slice(1))
    .join(', ');
}
