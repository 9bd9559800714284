// Finds citations of this repository's own files in its text, and those that lead nowhere. Pure: files come as an argument.
//
//   [text](<page>.md#<anchor>)                   a link of a Markdown file, relative or to the repository's own address
//   <page>.md#<anchor>, <page>.md, "<Heading>"   a page, anywhere; `docs/` may be left out
//   src/<file>, <file>.ts                        a path or the name of a source, in Markdown and in comments
//   src/<folder>/*.ts                            a pattern, which some file matches
//   decision <number>                            a record of docs/decisions/

/** Pages that were cited before the specification was written. */
const RETIRED = /(?<![\w/.-])(?:api|spec|design)\.md\b|\bapi contract [A-Z]\d*\b/g;
const PAGE =
  /(?<![\w/.@:%-])((?:\.\.\/)*(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.md)\b(?:#([\w-]+)|, "([^"]+)"|(, [A-Z]\w+))?/g;
const PATH =
  /(?<![\w/.@$-])((?:src|test|sdk|web|docs|scripts|bench|ops|migrations|\.ci)(?:\/[\w.@-]+)+)\/?([*<{$…([]?)/g;
const PATTERN =
  /(?<![\w/.@$*-])((?:src|test|sdk|web|docs|scripts|bench|ops|migrations)\/[\w.@*/-]*\*[\w.@*/-]*)(?![<{$…([])/g;
const SOURCE = /(?<![\w/.@*>}…-])([\w-]+(?:\.[\w-]+)*\.(?:ts|mjs))\b/g;
const DECISION = /\b(?:decision(?: record)?|ADR)[ -](\d{4})\b/gi;
/** Kinds of files that this repository has; paths of other projects often end otherwise. */
const OUR_FILES = /(?:\.(?:[cm]?[jt]s|json|md|sql|ya?ml|css|html)|\/[^.]+)$/;
const BUILT = /(?:^|\/)dist(?:\/|$)|^web\/build(?:\/|$)/;
const COMMENT = /^\s*(?:\/\/|\/?\*|--|#)|\s\/\/ /;
const ADDRESS = /\b[a-z][a-z+.-]*:\/\/[^\s)>\]"'`]+/g;

/**
 * @param files path (relative to the root, with slashes) -> text; null: it exists and is not read
 * @param home the repository's public address: links below it are followed in the repository itself
 * @returns how many citations there are, and the dead ones, a line each
 */
export function checkCitations(files, home) {
  const tree = new Tree(files);
  const found = [...files].flatMap(([file, text]) =>
    text === null ? [] : citationsOf(tree, file, text, home),
  );
  const dead = found.filter(({ problem }) => problem !== null);
  return {
    count: found.length,
    dead: dead.map(({ file, line, cited, problem }) => `${file}:${line}: ${cited}: ${problem}`),
  };
}

function citationsOf(tree, file, text, home) {
  const isMarkdown = file.endsWith('.md');
  const links = isMarkdown ? linksOf(text) : [];
  const found = links.flatMap(({ line, target }) => {
    const problem = linkProblem(tree, file, target, home);
    return problem === undefined ? [] : [{ file, line, cited: target, problem }];
  });
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replaceAll(ADDRESS, '').replaceAll(/\]\([^)]*\)/g, ']');
    const add = (cited, problem) => found.push({ file, line: index + 1, cited, problem });
    for (const [cited] of line.matchAll(RETIRED)) add(cited, 'is not in the repository');
    for (const [cited, page, anchor, heading, loose] of line.matchAll(PAGE)) {
      if (/^(?:api|spec|design)\.md$/.test(page)) continue;
      const isLoose = loose !== undefined && !isMarkdown;
      add(
        cited,
        isLoose
          ? 'a heading is named by #anchor or in quotes'
          : pageProblem(tree, file, page, anchor, heading),
      );
    }
    for (const [cited, number] of line.matchAll(DECISION))
      add(cited, tree.hasDecision(number) ? null : 'no such decision record');
    if (!isMarkdown && !COMMENT.test(line)) continue;
    for (const [, path, placeholder] of line.matchAll(PATH)) {
      const cited = path.replace(/[.@-]+$/, '');
      if (placeholder || cited.endsWith('.md') || !OUR_FILES.test(cited) || BUILT.test(cited)) continue;
      add(
        cited,
        [cited, join(folderOf(file), cited)].some((one) => tree.hasSource(one)) ? null : 'no such file',
      );
    }
    for (const [, pattern] of line.matchAll(PATTERN))
      add(pattern, tree.hasMatch(pattern.replace(/[.-]+$/, '')) ? null : 'no file matches');
    for (const [cited] of line.matchAll(SOURCE))
      add(cited, tree.hasName(cited) ? null : 'no file of this name');
  }
  return found;
}

/** Null: it leads somewhere. Undefined: it leads to another site. */
function linkProblem(tree, file, target, home) {
  const [address, anchor] = target.split('#');
  if (/^[a-z]+:/.test(address)) {
    const rest = address.startsWith(home) ? address.slice(home.length) : null;
    if (rest === null) return undefined;
    if (rest === '' || rest === '/issues') return null;
    const path = /^\/(?:blob|tree)\/main\/(.+)$/.exec(rest)?.[1];
    return path === undefined ? 'no page of the repository' : anchorProblem(tree, path, anchor);
  }
  if (address.startsWith('/')) return 'starts at no root';
  const path = address === '' ? file : join(folderOf(file), decodeURI(address));
  return path === null ? 'leads out of the repository' : anchorProblem(tree, path, anchor);
}

function pageProblem(tree, file, page, anchor, heading) {
  const candidates = [page, join(folderOf(file), page), join('docs', page)];
  const path = candidates.find((candidate) => candidate !== null && tree.has(candidate));
  if (path === undefined) return 'no such file';
  return anchorProblem(tree, path, heading === undefined ? anchor : slugOf(heading));
}

function anchorProblem(tree, path, anchor) {
  if (!tree.has(path)) return 'no such file';
  if (anchor === undefined) return null;
  if (!path.endsWith('.md')) return 'an anchor in what has no headings';
  return tree.anchorsOf(path).has(anchor) ? null : 'no such heading';
}

/** The files of the repository, and the headings of its pages. */
class Tree {
  #files;
  #folders = new Set();
  #names;
  #anchors = new Map();

  constructor(files) {
    this.#files = files;
    this.#names = new Set([...files.keys()].map((file) => file.slice(file.lastIndexOf('/') + 1)));
    for (const file of files.keys())
      for (let folder = folderOf(file); folder !== ''; folder = folderOf(folder)) this.#folders.add(folder);
  }

  has(path) {
    const plain = path.replace(/\/+$/, '');
    return plain === '' || this.#files.has(plain) || this.#folders.has(plain);
  }

  /** A source may be named as it is imported (`x.js`), or by the beginning that selects its tests. */
  hasSource(path) {
    if (this.has(path) || this.has(path.replace(/\.js$/, '.ts'))) return true;
    return [...this.#files.keys()].some((file) => file.startsWith(`${path}-`) || file.startsWith(`${path}.`));
  }

  /** `*` is anything within a folder, `**` also folders. */
  hasMatch(pattern) {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[.$]/g, '\\$&'));
    const shape = new RegExp(`^${parts.join('[^/]*').replaceAll('[^/]*[^/]*', '.*')}`);
    return [...this.#files.keys()].some((file) => shape.test(file));
  }

  hasName(name) {
    return this.#names.has(name);
  }

  hasDecision(number) {
    return [...this.#files.keys()].some((file) => file.startsWith(`docs/decisions/${number}-`));
  }

  anchorsOf(path) {
    const anchors = this.#anchors.get(path) ?? anchorsOf(this.#files.get(path) ?? '');
    this.#anchors.set(path, anchors);
    return anchors;
  }
}

const folderOf = (path) => path.split('/').slice(0, -1).join('/');

/** A path below the root without `.` and `..`; null where it leads out. */
function join(folder, path) {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '..' && parts.length === 0) return null;
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** GitHub's name of a heading: lower case, punctuation dropped, spaces as hyphens. */
export function slugOf(heading) {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** The anchors of a page; the second heading of the same words gets `-1`. */
export function anchorsOf(markdown) {
  const seen = new Map();
  const anchors = new Set();
  for (const [, heading] of withoutBlocks(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const name = slugOf(heading);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    anchors.add(count === 0 ? name : `${name}-${count}`);
  }
  for (const [, id] of markdown.matchAll(/<a (?:id|name)="([^"]+)">/g)) anchors.add(id);
  return anchors;
}

/** Targets of inline links, images and reference definitions, outside of code, with their lines. */
function linksOf(markdown) {
  const text = withoutBlocks(markdown)
    // Code in a line may hold brackets.
    .replaceAll(/`[^`\n]*`/g, (code) => '`'.padEnd(code.length, 'x'));
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|^\[[^\]]+\]: *(\S+)/g)].map(
        ([, inline, reference]) => ({ line: index + 1, target: inline ?? reference }),
      ),
    );
}

/** Markdown with its fenced code blocks blank, in as many lines. */
function withoutBlocks(markdown) {
  let fence = null;
  return markdown
    .split('\n')
    .map((line) => {
      const [, mark] = /^ *(`{3,}|~{3,})/.exec(line) ?? [];
      const isInside = fence !== null;
      if (!isInside && mark !== undefined) fence = mark;
      else if (isInside && mark?.startsWith(fence) && line.trim() === mark) fence = null;
      return isInside || mark !== undefined ? '' : line;
    })
    .join('\n');
}
