import type { Page } from 'playwright-core';

/** Stops the clock of a page just after its present: on a busy machine that moment may be over before the page hears of it. */
export async function pauseClock(page: Page): Promise<void> {
  for (;;) {
    try {
      return await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 100'));
    } catch (error) {
      if (!String(error).includes('Cannot fast-forward to the past')) throw error;
    }
  }
}
