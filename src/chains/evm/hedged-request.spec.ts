import { type HedgedCall, quorum, hedged } from './hedged-request.js';

const LONG = 3_600_000;

/** An endpoint whose response the test controls. */
class Scripted implements HedgedCall<string> {
  isOvertaken = false;
  readonly asked: Promise<void>;
  private wasAsked: () => void = () => {};
  private readonly answer: Promise<string | null>;
  private resolve: (value: string | null) => void = () => {};
  private reject: (error: Error) => void = () => {};

  constructor() {
    this.asked = new Promise((resolve) => (this.wasAsked = resolve));
    this.answer = new Promise((resolve, reject) => ([this.resolve, this.reject] = [resolve, reject]));
    // Some are never awaited.
    this.answer.catch(() => null);
  }

  run(): Promise<string | null> {
    this.wasAsked();
    return this.answer;
  }

  onOvertaken(): void {
    this.isOvertaken = true;
  }

  say(value: string | null): void {
    this.resolve(value);
  }

  fail(message: string): void {
    this.reject(new Error(message));
  }
}

const two = () => [new Scripted(), new Scripted()] as const;

describe('hedged', () => {
  it('asks only the first endpoint when it responds in time', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, LONG);
    first.say('yes');
    expect(await answer).toEqual({ value: 'yes', index: 0 });
    expect(first.isOvertaken || second.isOvertaken).toBe(false);
  });

  it('asks the next endpoint at once when the first fails, and ignores the first from then on', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, LONG);
    first.fail('down');
    await second.asked;
    second.say('yes');
    expect(await answer).toEqual({ value: 'yes', index: 1 });
    expect(first.isOvertaken).toBe(false);
  });

  it('asks the next endpoint after the delay; the slower one is overtaken', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, 1);
    await second.asked;
    second.say('fast');
    expect(await answer).toEqual({ value: 'fast', index: 1 });
    expect(first.isOvertaken).toBe(true);
    first.fail('too late to matter');
  });

  it('uses the slow endpoint when it still responds first', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, 1);
    await second.asked;
    first.say('slow');
    expect(await answer).toEqual({ value: 'slow', index: 0 });
    // It was asked later: no shame.
    expect(second.isOvertaken).toBe(false);
    second.say('too late to matter');
  });

  it('waits for the slow endpoint when the other fails', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, 1);
    await second.asked;
    second.fail('down');
    first.say('slow');
    expect(await answer).toEqual({ value: 'slow', index: 0 });
  });

  it('asks a resting endpoint only when the others failed', async () => {
    const [first, failing] = two();
    const answer = hedged([first, failing], 1, 1);
    first.fail('down');
    await failing.asked;
    failing.say('back');
    expect(await answer).toEqual({ value: 'back', index: 1 });
  });

  it('returns null when no endpoint has it', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, LONG);
    first.say(null);
    second.fail('down');
    expect(await answer).toBeNull();
  });

  it('fails with the first error when all fail, or without endpoints', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, LONG);
    second.fail('down, too');
    first.fail('down');
    await expect(answer).rejects.toThrow(/^down$/);
    await expect(hedged([], 0, LONG)).rejects.toThrow('no endpoint to call');
  });
});

describe('quorum', () => {
  it('waits for all that respond within the delay', async () => {
    const [first, second] = two();
    const answers = quorum([first, second], LONG);
    second.say('b');
    first.say('a');
    expect(await answers).toEqual([
      { value: 'a', index: 0 },
      { value: 'b', index: 1 },
    ]);
  });

  it('continues without the slow endpoint', async () => {
    const [first, second] = two();
    const answers = quorum([first, second], 1);
    second.say('b');
    expect(await answers).toEqual([{ value: 'b', index: 1 }]);
    expect(first.isOvertaken).toBe(true);
    first.fail('too late to matter');
  });

  it('leaves out failures, and fails when all fail', async () => {
    const [first, second] = two();
    const answers = quorum([first, second], LONG);
    first.fail('down');
    second.say('b');
    expect(await answers).toEqual([{ value: 'b', index: 1 }]);
    const bad = new Scripted();
    bad.fail('down');
    await expect(quorum([bad], LONG)).rejects.toThrow('down');
    await expect(quorum([], LONG)).rejects.toThrow('no endpoint to call');
  });
});
