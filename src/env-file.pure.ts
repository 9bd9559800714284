const ASSIGNMENT = /^(?:export\s+)?([A-Z][A-Z0-9_]*)=(.*)$/;
/** Whole values in quotes, in which a shell changes nothing; a comment may follow. */
const QUOTED = /^(?:'[^']*'|"[^"$`\\]*")(?:\s+#[^]*|\s*)$/;
/** What a shell acts on, outside of quotes. */
const SPECIAL = /[\s&;|<>()$`'"\\]/;

/** Lines of an .env file whose value is another one after `. ./.env`, or none; never with the value. */
export function shellProblems(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const [, name, value = ''] = ASSIGNMENT.exec(line) ?? [];
    if (name === undefined || QUOTED.test(value)) return [];
    const [special] = SPECIAL.exec(value.replace(/(^|\s)#[^]*/, '').trimEnd()) ?? [];
    if (special === undefined) return [];
    return [
      `${name}: a shell takes line ${index + 1} of .env apart at ${special.trim() === '' ? 'the space' : special}; put the value into single quotes`,
    ];
  });
}
