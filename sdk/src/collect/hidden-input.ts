/** What is typed or piped, line by line; on a terminal nothing of it is shown unless asked for. */
export class Answers {
  private text = '';
  private hasEnded = false;
  private wake: (() => void) | null = null;
  private readonly take = (chunk: Buffer | string) => {
    this.text += chunk.toString();
    this.wake?.();
  };
  private readonly end = () => {
    this.hasEnded = true;
    this.wake?.();
  };

  constructor(
    private readonly input: NodeJS.ReadStream,
    private readonly output: { write(text: string): unknown },
  ) {
    // Raw: the terminal itself would show what is typed.
    if (input.isTTY) input.setRawMode(true);
    input.setEncoding('utf8');
    input.on('data', this.take);
    input.on('end', this.end);
  }

  /** Null: there is nothing more, or it was interrupted. */
  async ask(question: string, { isShown }: { isShown: boolean }): Promise<string | null> {
    this.output.write(question);
    let line = '';
    for (;;) {
      const read = this.readTo(line, isShown);
      line = read.line;
      if (read.isWhole || read.isInterrupted || this.hasEnded) {
        this.output.write('\n');
        return read.isInterrupted || (line === '' && !read.isWhole) ? null : line;
      }
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  close(): void {
    this.text = '';
    if (this.input.isTTY) this.input.setRawMode(false);
    this.input.off('data', this.take);
    this.input.off('end', this.end);
    this.input.pause();
  }

  /** Takes what is there, to the end of the line. */
  private readTo(line: string, isShown: boolean): { line: string; isWhole: boolean; isInterrupted: boolean } {
    const characters = Array.from(this.text);
    for (const [i, character] of characters.entries()) {
      if (character === '\r' && characters[i + 1] === '\n') continue;
      this.text = characters.slice(i + 1).join('');
      if (character === '\n' || character === '\r') return { line, isWhole: true, isInterrupted: false };
      // Ctrl-C and Ctrl-D, which a raw terminal hands over.
      if (character === '\u0003' || character === '\u0004')
        return { line: '', isWhole: false, isInterrupted: true };
      if (character === '\u007f' || character === '\b') line = Array.from(line).slice(0, -1).join('');
      else {
        line += character;
        if (isShown && this.input.isTTY) this.output.write(character);
      }
    }
    this.text = '';
    return { line, isWhole: false, isInterrupted: false };
  }
}
