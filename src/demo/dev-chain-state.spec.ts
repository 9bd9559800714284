import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DevChainState } from './dev-chain-state.js';

let folder: string;
let file: string;
let state: DevChainState;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-test-state-'));
  file = path.join(folder, 'anvil-state.json');
  state = new DevChainState(file);
});

afterEach(() => rm(folder, { recursive: true }));

const copy = () => readFile(`${file}.previous`, 'utf8').catch(() => null);

describe('DevChainState', () => {
  it('copies a file only once it has stopped changing', async () => {
    await state.keepCopy();
    await writeFile(file, 'half');
    await state.keepCopy();
    expect(await copy()).toBeNull();
    await writeFile(file, 'whole');
    await state.keepCopy();
    expect(await copy()).toBeNull();
    await state.keepCopy();
    expect(await copy()).toBe('whole');
  });

  it('copies again after an interval, not at every change', async () => {
    await writeFile(file, 'first');
    for (let call = 0; call < 2; call++) await state.keepCopy();
    await writeFile(file, 'second');
    for (let call = 0; call < 10; call++) await state.keepCopy();
    expect(await copy()).toBe('first');
    for (let call = 0; call < 30; call++) await state.keepCopy();
    expect(await copy()).toBe('second');
  });

  it('replaces a damaged file by its copy', async () => {
    await writeFile(file, 'damaged');
    await writeFile(`${file}.previous`, 'good');
    expect(await state.restoreCopy()).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('good');
    expect(await readFile(`${file}.damaged`, 'utf8')).toBe('damaged');
  });

  it('throws an error that names the missing copy', async () => {
    await writeFile(file, 'damaged');
    expect(await state.restoreCopy()).toBe(false);
    expect(await state.exists()).toBe(false);
  });
});
