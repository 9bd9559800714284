import { createHash } from 'node:crypto';
import vm from 'node:vm';
import { ModuleMocker } from 'jest-mock';
import { dropDatabases } from './drop-databases.mjs';

/** Stands for the main context, which node:vm has no name for: it is what one gets who names none, and jest always does. */
const MAIN = {};
/** What jest-circus leaves on the global object, and would find again in the next test file. */
const LEFT_BY_JEST = /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_\w+)$/;

function unnamed({ context, parsingContext, ...options }) {
  return {
    ...options,
    ...(context !== MAIN && { context }),
    ...(parsingContext !== MAIN && { parsingContext }),
  };
}

// This file is loaded once per worker.
const { compileFunction, SourceTextModule, SyntheticModule } = vm;
vm.compileFunction = (code, parameters, options = {}) => compileFunction(code, parameters, unnamed(options));
vm.SourceTextModule = class extends SourceTextModule {
  constructor(code, options = {}) {
    super(code, unnamed(options));
  }
};
vm.SyntheticModule = class extends SyntheticModule {
  constructor(names, evaluate, options = {}) {
    super(names, evaluate, unnamed(options));
  }
};

/** Tests and groups of a file in another order for each seed: each must stand on its own. Nightly (TEST_ORDER=shuffled). */
function shuffle(block, seed) {
  const place = ({ name }, index) => createHash('sha256').update(`${seed} ${index} ${name}`).digest('hex');
  const places = new Map(block.children.map((child, index) => [child, place(child, index)]));
  block.children.sort((a, b) => places.get(a).localeCompare(places.get(b)));
  for (const child of block.children) if (child.type === 'describeBlock') shuffle(child, seed);
}

/**
 * Test files run in the worker's own realm, as the program does, not in a copy of it: an Error is an Error, and modules
 * need not be loaded again for each of them (shared-runtime.cjs).
 */
export default class OneRealmEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  // No test replaces timers: time is a TestClock.
  fakeTimers = null;
  fakeTimersModern = null;
  #console = globalThis.console;
  #exit = process.exit;
  #env = { ...process.env };
  #seed;
  /** The story of one world, in which each test begins where the one before it ended: the file says why, after this word. */
  #isInOrder;

  constructor({ globalConfig, projectConfig }, { docblockPragmas }) {
    this.#seed = globalConfig.seed;
    this.#isInOrder =
      process.env['TEST_ORDER'] !== 'shuffled' ||
      'inOrder' in docblockPragmas ||
      projectConfig.testEnvironmentOptions.inOrder === true;
  }

  async setup() {}

  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'run_start' && !this.#isInOrder) shuffle(rootDescribeBlock, this.#seed);
  }

  async teardown() {
    await dropDatabases();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (LEFT_BY_JEST.test(key.description)) delete globalThis[key];
    this.global = null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return this.global === null ? null : MAIN;
  }
}
