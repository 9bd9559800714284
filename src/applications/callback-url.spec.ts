import { callbackUrlProblem } from './callback-url.js';

const HTTPS = 'The callbackUrl field must be a valid https URL.';
const PORT = 'The callbackUrl field must use port 443 or a port from 1024.';

describe('callbackUrlProblem', () => {
  it.each<[string, boolean, string | null]>([
    ['https://shop.example/hook', true, null],
    ['HTTPS://shop.example/hook', true, null],
    ['https://shop.example:443/hook', true, null],
    ['https://shop.example:1024/hook', true, null],
    ['https://shop.example:8443/hook', true, null],
    ['https://shop.example:1023/hook', true, PORT],
    ['https://shop.example:22/hook', true, PORT],
    ['https://shop.example:0/hook', true, PORT],
    ['http://shop.example/hook', true, HTTPS],
    ['http://shop.example:443/hook', true, HTTPS],
    ['http://localhost:80/hook', false, null],
    ['http://127.0.0.1:3999/hook', false, null],
  ])('%s, production %s: %s', (url, production, problem) => {
    expect(callbackUrlProblem(url, production)).toBe(problem);
  });
});
