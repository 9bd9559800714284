/** The places of the pages before this one, the first page being the empty text; what a browser kept may be anything. */
export function readTrail(state: unknown): readonly string[] {
  const { trail } = (state ?? {}) as { trail?: unknown };
  return Array.isArray(trail) && trail.every((one) => typeof one === 'string') ? trail : [];
}
