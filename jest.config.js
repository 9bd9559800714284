import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/support/jest/one-realm-environment.mjs',
  runtime: '<rootDir>/test/support/jest/shared-runtime.cjs',
  roots: [
    '<rootDir>/src',
    '<rootDir>/test',
    '<rootDir>/sdk/src',
    '<rootDir>/web/dashboard',
    '<rootDir>/bench/support',
  ],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  // In jest.browser.config.js, jest.screens.config.js and jest.nightly.config.js.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(browser|screens|nightly)/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  // Maps the ".js" of ESM imports to ".ts" sources, in our files only.
  resolver: '<rootDir>/test/support/jest/resolver.cjs',
  testSequencer: '<rootDir>/test/support/jest/longest-first.mjs',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // Milliseconds, against hanging alone: a machine with other work is several times slower.
  testTimeout: 300_000,
  // The order of files; `--seed` repeats it.
  showSeed: true,
  // Tests wait for a node, a browser or Postgres a third of the time: three at once even on two cores.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        module: { type: 'es6' },
        jsc: {
          target: 'es2023',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      },
    ],
  },
};
