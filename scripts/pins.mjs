// Images and actions that are not named by their content: a tag can be moved to other content at any time. Pure.

const DIGEST = /^\S+:[\w.-]+@sha256:[0-9a-f]{64}$/;
const COMMIT = /^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40}$/;
/** Built from this repository by compose.yaml. */
const BUILT = 'crypto-payment-gateway:local';

/**
 * @param files path -> text of Dockerfiles, compose files and workflows
 * @returns what is not pinned, a line each
 */
export function pinProblems(files) {
  const problems = [];
  const digests = new Map();
  for (const [file, text] of files) {
    const stages = new Set();
    for (const [index, line] of text.split('\n').entries()) {
      const say = (what) => problems.push(`${file}:${index + 1}: ${what}`);
      const [, action, note] = /^\s*(?:-\s+)?uses:\s*(\S+)(?:\s+#\s*(\S+))?/.exec(line) ?? [];
      if (action !== undefined && !action.startsWith('./')) {
        if (!COMMIT.test(action)) say(`${action} is not pinned to a commit`);
        else if (!/^v\d/.test(note ?? '')) say(`${action} has no comment with its version`);
      }
      const image = imageOf(line, stages);
      if (image === null || image === BUILT) continue;
      if (!DIGEST.test(image)) say(`${image} is not pinned to a tag and its digest`);
      const [tag, digest] = image.split('@');
      if ((digests.get(tag) ?? digest) !== digest) say(`${tag} has another digest elsewhere`);
      digests.set(tag, digest);
    }
  }
  return problems;
}

/** The image that a line takes from elsewhere; stages of the same Dockerfile are not. */
function imageOf(line, stages) {
  const [, from, stage] = /^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?\s*$/i.exec(line) ?? [];
  if (from !== undefined) {
    const isStage = stages.has(from);
    if (stage !== undefined) stages.add(stage);
    return isStage ? null : from;
  }
  const [, copied] = /^COPY\s+--from=(\S+)/i.exec(line) ?? [];
  if (copied !== undefined) return stages.has(copied) ? null : copied;
  return /^\s*(?:-\s+)?(?:image|container):\s*['"]?([^\s'"#]+)/.exec(line)?.[1] ?? null;
}
