import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { ContextVariable } from './context-variable.js';

describe('ContextVariable', () => {
  const request = new ContextVariable<string>('request');
  const unit = new ContextVariable<string>('unit');
  const both = () => [request.get(), unit.get()];

  it('is undefined outside of any run', () => {
    expect(both()).toEqual([undefined, undefined]);
  });

  it('follows what runs inside across an await, and ends with it', async () => {
    const seen = await request.run('r1', async () => {
      await turnOfTheLoop();
      return both();
    });
    expect(seen).toEqual(['r1', undefined]);
    expect(both()).toEqual([undefined, undefined]);
  });

  it('leaves the values of other variables as they are', () => {
    expect(request.run('r1', () => unit.run('u1', both))).toEqual(['r1', 'u1']);
    expect(request.run('r1', () => unit.run('u1', () => request.run('r2', both)))).toEqual(['r2', 'u1']);
  });

  it('hides the outer value when it is run with undefined', () => {
    expect(request.run('r1', () => unit.run('u1', () => unit.run(undefined, both)))).toEqual([
      'r1',
      undefined,
    ]);
  });

  it('keeps the values of runs side by side apart', async () => {
    const seen = await Promise.all(
      ['a', 'b'].map((value) =>
        request.run(value, async () => {
          await turnOfTheLoop();
          return request.get();
        }),
      ),
    );
    expect(seen).toEqual(['a', 'b']);
  });

  it('keeps the value of a run that goes on when another one ends', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const longer = request.run('r1', async () => {
      await ended;
      return request.get();
    });
    await unit.run('u1', async () => turnOfTheLoop());
    end();
    expect(await longer).toBe('r1');
  });

  it('gives no value to a run that starts after all others have ended', async () => {
    await request.run('r1', async () => turnOfTheLoop());
    await expect(request.run('r1', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await unit.run('u1', async () => both())).toEqual([undefined, 'u1']);
  });
});
