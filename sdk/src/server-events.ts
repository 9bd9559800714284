/** An event of a stream (WHATWG HTML, "Server-sent events"), as far as the gateway uses them. */
export interface ServerEvent {
  /** Null: it has none, so that the last one stays. */
  id: string | null;
  /** Empty for an event that only moves the cursor. */
  data: string;
}

/** Makes events of the text of a stream, however it is cut. */
export class ServerEventParser {
  private rest = '';

  /** The events that are complete now. */
  push(text: string): ServerEvent[] {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const lines = block.split('\n');
      const id = valuesOf(lines, 'id').at(-1) ?? null;
      const data = valuesOf(lines, 'data').join('\n');
      // Comments and the time to reconnect are not events.
      return id === null && data === '' ? [] : [{ id, data }];
    });
  }
}

function valuesOf(lines: readonly string[], field: string): string[] {
  return lines.flatMap((line) =>
    line.startsWith(`${field}:`) ? [line.slice(field.length + 1).replace(/^ /, '')] : [],
  );
}
