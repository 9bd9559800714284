import base from './jest.config.js';

/**
 * `npm run test:patterns`: what takes minutes and changes rarely (docs/explanation/tests.md).
 * @type {import('jest').Config}
 */
export default {
  ...base,
  roots: ['<rootDir>/test/nightly'],
  testPathIgnorePatterns: ['/node_modules/'],
};
