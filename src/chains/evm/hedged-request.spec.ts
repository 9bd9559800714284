import { type HedgedCall, quorum, hedged } from './hedged-request.js';

const LONG = 3_600_000;

/** An endpoint whose answers the test gives. */
class Scripted implements HedgedCall<string> {
  isLost = false;
  readonly asked: Promise<void>;
  private wasAsked: () => void = () => {};
  private readonly answer: Promise<string | null>;
  private resolve: (value: string | null) => void = () => {};
  private reject: (error: Error) => void = () => {};

  constructor() {
    this.asked = new Promise((resolve) => (this.wasAsked = resolve));
    this.answer = new Promise((resolve, reject) => ([this.resolve, this.reject] = [resolve, reject]));
    // Some never get asked.
    this.answer.catch(() => null);
  }

  run(): Promise<string | null> {
    this.wasAsked();
    return this.answer;
  }

  onOvertaken(): void {
    this.isLost = true;
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
  it('asks one, when it answers', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, LONG);
    first.say('yes');
    expect(await answer).toEqual({ value: 'yes', index: 0 });
    expect(first.isLost || second.isLost).toBe(false);
  });

  it('asks the next at once when one fails, and ignores it from then on', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, LONG);
    first.fail('down');
    await second.asked;
    second.say('yes');
    expect(await answer).toEqual({ value: 'yes', index: 1 });
    expect(first.isLost).toBe(false);
  });

  it('asks the next after the delay; the faster wins and the slower has lost', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, 1);
    await second.asked;
    second.say('fast');
    expect(await answer).toEqual({ value: 'fast', index: 1 });
    expect(first.isLost).toBe(true);
    first.fail('too late to matter');
  });

  it('lets the slow one win when it answers first after all', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, 1);
    await second.asked;
    first.say('slow');
    expect(await answer).toEqual({ value: 'slow', index: 0 });
    // It was asked later: no shame.
    expect(second.isLost).toBe(false);
    second.say('too late to matter');
  });

  it('waits for the slow one when the fast one fails', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, 1);
    await second.asked;
    second.fail('down');
    first.say('slow');
    expect(await answer).toEqual({ value: 'slow', index: 0 });
  });

  it('asks a failing endpoint only when the others failed', async () => {
    const [first, failing] = two();
    const answer = hedged([first, failing], 1, 1);
    first.fail('down');
    await failing.asked;
    failing.say('back');
    expect(await answer).toEqual({ value: 'back', index: 1 });
  });

  it('finds nothing when nobody has it', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, LONG);
    first.say(null);
    second.fail('down');
    expect(await answer).toBeNull();
  });

  it('fails with the first error when all fail, or with nobody to ask', async () => {
    const [first, second] = two();
    const answer = hedged([first, second], 2, LONG);
    second.fail('down, too');
    first.fail('down');
    await expect(answer).rejects.toThrow(/^down$/);
    await expect(hedged([], 0, LONG)).rejects.toThrow('nobody to ask');
  });
});

describe('quorum', () => {
  it('waits for all that answer in time', async () => {
    const [first, second] = two();
    const answers = quorum([first, second], LONG);
    second.say('b');
    first.say('a');
    expect(await answers).toEqual([
      { value: 'a', index: 0 },
      { value: 'b', index: 1 },
    ]);
  });

  it('goes on without the slow one', async () => {
    const [first, second] = two();
    const answers = quorum([first, second], 1);
    second.say('b');
    expect(await answers).toEqual([{ value: 'b', index: 1 }]);
    expect(first.isLost).toBe(true);
    first.fail('too late to matter');
  });

  it('leaves out who fails, and fails when all do', async () => {
    const [first, second] = two();
    const answers = quorum([first, second], LONG);
    first.fail('down');
    second.say('b');
    expect(await answers).toEqual([{ value: 'b', index: 1 }]);
    const bad = new Scripted();
    bad.fail('down');
    await expect(quorum([bad], LONG)).rejects.toThrow('down');
    await expect(quorum([], LONG)).rejects.toThrow('nobody to ask');
  });
});
