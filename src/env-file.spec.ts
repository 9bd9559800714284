import { refuseDevelopment } from './env-file.js';

describe('an installation without the development profile', () => {
  const failure = (code: string) => Object.assign(new Error(code), { code });

  it('names the setting that is missing', () => {
    expect(() => refuseDevelopment(failure('ERR_MODULE_NOT_FOUND'))).toThrow('NODE_ENV: must be production');
  });

  it('hides no other failure', () => {
    expect(() => refuseDevelopment(failure('EACCES'))).toThrow('EACCES');
  });
});
