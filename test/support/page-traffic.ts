import type { Page, Request, Response } from 'playwright-core';

/** Two frames: whatever a press starts has been started, and what a response changes is shown. */
const FRAMES = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))`;

/** Calls of the API, and the parts of the program that are loaded when they are needed. */
const AWAITED = ['fetch', 'script', 'stylesheet'];
/** A minute at least. */
const MOST_FRAMES = 2_000;

/** What a page has asked for, and what of that the API refused. */
export class Traffic {
  private readonly pending = new Set<Request>();
  private refusals: Promise<string>[] = [];

  constructor(private readonly page: Page) {
    page.on('framenavigated', () => this.pending.clear());
    page.on('request', (request) => {
      if (AWAITED.includes(request.resourceType())) this.pending.add(request);
    });
    page.on('requestfinished', (request) => this.pending.delete(request));
    page.on('requestfailed', (request) => this.pending.delete(request));
    page.on('response', (response) => {
      if (response.status() === 403) this.refusals.push(refusalOf(response));
    });
  }

  /** Waits until the page has nothing more to ask. */
  async calm(): Promise<void> {
    for (let quiet = 0, frames = 0; quiet < 2; frames++) {
      await this.page.evaluate(FRAMES);
      quiet = this.pending.size === 0 ? quiet + 1 : 0;
      if (frames > MOST_FRAMES)
        throw new Error(`no end of ${[...this.pending].map((one) => one.url()).join(' ')}`);
    }
  }

  /** Since the last time. */
  async takeRefusals(): Promise<string[]> {
    await this.calm();
    return Promise.all(this.refusals.splice(0));
  }
}

async function refusalOf(response: Response): Promise<string> {
  const { code } = (await response.json()) as { code: string };
  return `${response.request().method()} ${new URL(response.url()).pathname}: ${code}`;
}
