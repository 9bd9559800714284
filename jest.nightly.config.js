import base from './jest.config.js';

/**
 * `npm run test:long`: what takes minutes and rarely finds what npm test does not (docs/explanation/tests.md).
 * @type {import('jest').Config}
 */
export default {
  ...base,
  roots: ['<rootDir>/test/nightly'],
  testPathIgnorePatterns: ['/node_modules/'],
};
