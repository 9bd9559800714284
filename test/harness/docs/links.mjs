// Links of Markdown files: to files and headings of the repository, and to its own address.
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { withoutBlocks } from './blocks.mjs';

/** The names that GitHub gives to headings; a second one of the same words gets `-1`. */
export function anchorsOf(markdown) {
  const seen = new Map();
  const anchors = new Set();
  for (const [, heading] of withoutBlocks(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const name = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    anchors.add(count === 0 ? name : `${name}-${count}`);
  }
  for (const [, id] of markdown.matchAll(/<a id="([^"]+)">/g)) anchors.add(id);
  return anchors;
}

/** Targets of inline links, images and reference definitions, outside of code, with their lines. */
export function linksOf(markdown) {
  const text = withoutBlocks(markdown)
    // Code in a line may hold brackets.
    .replaceAll(/`[^`\n]*`/g, (code) => '`'.padEnd(code.length, 'x'));
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|^\[[^\]]+\]: *(\S+)/g)].map(
      ([, inline, reference]) => ({
        line: index + 1,
        target: inline ?? reference,
      }),
    ),
  );
}

const anchorsOfFile = (file) => anchorsOf(readFileSync(file, 'utf8'));

/**
 * @param file relative to the root
 * @param home the repository's address: links below it are followed in the repository itself
 * @returns the links that lead nowhere, a line each
 */
export function brokenLinks(root, file, home) {
  const markdown = readFileSync(path.join(root, file), 'utf8');
  return linksOf(markdown).flatMap(({ line, target }) => {
    const problem = problemOf(root, file, home, target);
    return problem ? [`${file}:${line}: ${target}: ${problem}`] : [];
  });
}

function problemOf(root, file, home, target) {
  const [address, anchor] = target.split('#');
  if (/^[a-z]+:/.test(address)) {
    if (!address.startsWith(home)) return null;
    const rest = address.slice(home.length);
    if (rest === '' || rest === '/issues') return null;
    const below = /^\/(?:blob|tree)\/main\/(.+)$/.exec(rest)?.[1];
    return below === undefined ? 'no page of the repository' : problemInTree(root, below, anchor);
  }
  if (address.startsWith('/')) return 'starts at no root';
  return problemInTree(
    root,
    address === '' ? file : path.join(path.dirname(file), decodeURI(address)),
    anchor,
  );
}

function problemInTree(root, name, anchor) {
  const target = path.join(root, name);
  if (path.relative(root, target).startsWith('..')) return 'leads out of the repository';
  if (!existsSync(target)) return 'no such file';
  if (anchor === undefined) return null;
  if (!target.endsWith('.md') || statSync(target).isDirectory()) return 'an anchor in what has no headings';
  return anchorsOfFile(target).has(anchor) ? null : 'no such heading';
}
