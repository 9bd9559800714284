import { shellProblems } from './env-file.pure.js';

it.each<[string, RegExp | null]>([
  ['A=https://rpc.example.com/?a=1&key=2', /^A: a shell takes line 1 of \.env apart at &; .*single quotes$/],
  ["A='https://rpc.example.com/?a=1&key=2'", null],
  ['A="https://rpc.example.com/?a=1&key=2"', null],
  ['A="price: $5"', /apart at "/],
  ['A=a;b', /apart at ;/],
  ['A=a b', /the space/],
  ['A=a$b', /apart at \$/],
  ['A=a # a comment', null],
  ["A='a&b' # a comment", null],
  ['A=', null],
  ['A=   # a comment', null],
  ['export A=a|b', /apart at \|/],
  ['# A=a&b', null],
  ['A=k1:aGVsbG8+/=', null],
  ["A=it's", /apart at '/],
])('%s', (line, problem) => {
  const problems = shellProblems(`${line}\n`);
  expect(problems).toEqual(problem === null ? [] : [expect.stringMatching(problem)]);
});

it('the number of the line is named, and never the value', () => {
  expect(shellProblems('# one\r\nB=ok\r\nC=secret&word\r\n')).toEqual([
    'C: a shell takes line 3 of .env apart at &; put the value into single quotes',
  ]);
});
