// What a release says of itself: checksums, and where its files come from. Pure.
import { createHash } from 'node:crypto';

export const sha256 = (content) => createHash('sha256').update(content).digest('hex');

/** The form of `sha256sum`, which checks it. @param digests pairs of name and SHA-256 */
export const sumsOf = (digests) => digests.map(([name, digest]) => `${digest}  ${name}\n`).join('');

/**
 * An in-toto statement with SLSA's predicate: https://slsa.dev/spec/v1.0/provenance. Without times and without the
 * machine's name, so that whoever builds the same commit with the same versions gets the same bytes.
 */
export function provenanceOf({ subjects, manifest, commit, lockfile, dockerfile, environment, versions }) {
  const {
    GITHUB_SERVER_URL: server,
    GITHUB_REPOSITORY: repository,
    GITHUB_WORKFLOW_REF: workflow,
  } = environment;
  const source = repository === undefined ? manifest.repository.url : `git+${server}/${repository}.git`;
  const home = manifest.homepage;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(([name, digest]) => ({ name, digest: { sha256: digest } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${home}/blob/main/docs/how-to/release.md`,
        externalParameters: { source, commit, version: manifest.version },
        internalParameters: versions,
        resolvedDependencies: [
          { uri: `${source}@${commit}`, digest: { gitCommit: commit } },
          { uri: 'package-lock.json', digest: { sha256: sha256(lockfile) } },
          ...imagesOf(dockerfile),
        ],
      },
      runDetails: {
        builder: {
          id: workflow === undefined ? `${home}/blob/main/scripts/release.mjs` : `${server}/${workflow}`,
        },
      },
    },
  };
}

/** The base images of a Dockerfile, once each. */
function imagesOf(dockerfile) {
  const images = [...dockerfile.matchAll(/^FROM (?:--\S+ )*(\S+):(\S+)@sha256:([0-9a-f]{64})/gm)].map(
    ([, name, tag, digest]) => [`pkg:docker/${name}@${tag}`, digest],
  );
  return [...new Map(images)].map(([uri, digest]) => ({ uri, digest: { sha256: digest } }));
}
