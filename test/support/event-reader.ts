import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';

/** Reads server-sent events as they come. */
export class EventReader {
  text = '';
  isOver = false;
  private waiting: (() => void)[] = [];

  private constructor(
    private readonly request: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      this.text += chunk;
      this.wake();
    });
    response.on('close', () => {
      this.isOver = true;
      this.wake();
    });
    // Dropped connections are part of the game.
    response.on('error', () => undefined);
  }

  /** @param bearer null: the link is signed */
  static async open(
    url: string,
    bearer: string | null,
    headers: Record<string, string> = {},
  ): Promise<EventReader> {
    const request = get(url, {
      agent: false,
      headers: {
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        accept: 'text/event-stream',
        ...headers,
      },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => undefined);
    return new EventReader(request, response);
  }

  /** The events so far, by the rules of WHATWG HTML 9.2.6, as far as they are used. */
  get events(): { id: string; data: string }[] {
    return this.text
      .split('\n\n')
      .slice(0, -1)
      .flatMap((block) => {
        const [, id] = /^id: (.*)$/m.exec(block) ?? [];
        const [, data] = /^data: (.*)$/m.exec(block) ?? [];
        return id !== undefined && data !== undefined ? [{ id, data }] : [];
      });
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  async has(count: number): Promise<{ id: string; data: string }[]> {
    await this.until(() => this.events.length >= count);
    return this.events;
  }

  over(): Promise<void> {
    return this.until(() => this.isOver);
  }

  /** Goes without a word, and waits until the gateway has noticed. */
  async leave(): Promise<void> {
    this.response.resume();
    this.request.destroy();
    await this.over();
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
