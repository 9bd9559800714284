import base from './jest.config.js';

/**
 * `npm run test:screens`: every screen in every state, language and size, which takes minutes.
 * @type {import('jest').Config}
 */
export default {
  ...base,
  roots: ['<rootDir>/test/screens'],
  testPathIgnorePatterns: ['/node_modules/'],
  // One tab goes from screen to screen.
  testEnvironmentOptions: { inOrder: true },
};
