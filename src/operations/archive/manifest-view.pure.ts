import type { Verified } from './archive-format.pure.js';

/** What the command line prints of an archive. */
export function presentManifest({ manifest, key }: Verified): string {
  const { payments, open, first, last, before, archivedAt, version, commit, lineage, head } = manifest;
  return `payments: ${payments}
open:     ${open}
first:    ${first ?? 'none'}
last:     ${last ?? 'none'}
before:   ${before}
archived: ${archivedAt}
gateway:  ${version} (${commit}), database ${lineage}
head:     ${head}
key:      ${key.x}
`;
}
