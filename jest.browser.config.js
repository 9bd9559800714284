import base from './jest.config.js';

/**
 * `npm run test:browser`: whatever needs a browser, but for the screens (jest.screens.config.js).
 * @type {import('jest').Config}
 */
export default {
  ...base,
  roots: ['<rootDir>/test/browser'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Pages are walked as people walk them.
  testEnvironmentOptions: { inOrder: true },
};
