// The fenced code blocks of a Markdown file.

/** @returns language, info string, text and line (of the fence) of each block, in order */
export function listBlocks(markdown) {
  const blocks = [];
  let open = null;
  for (const [index, line] of markdown.split('\n').entries()) {
    const [, indent, fence, info] = /^( *)(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === null && fence !== undefined) {
      const [language = '', ...rest] = info.trim().split(/\s+/);
      open = { line: index + 1, language, name: rest.join(' '), indent, fence, lines: [] };
    } else if (open !== null && fence?.startsWith(open.fence) && info.trim() === '') {
      const { indent: _indent, fence: _fence, lines, ...block } = open;
      blocks.push({ ...block, text: `${lines.join('\n')}\n` });
      open = null;
    } else if (open !== null)
      open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
  }
  if (open !== null) throw new Error(`the block in line ${open.line} has no end`);
  return blocks;
}
