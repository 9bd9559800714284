import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pinProblems } from '../scripts/pins.mjs';

const D = `sha256:${'0a'.repeat(32)}`;
const COMMIT = '0b'.repeat(20);
const problemsOf = (text: string) => pinProblems(new Map([['file', text]]));

describe('images and actions', () => {
  it('of this repository are pinned', () => {
    const script = path.resolve(import.meta.dirname, '../scripts/check-pins.mjs');
    expect(spawnSync(process.execPath, [script], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  it.each([
    `FROM node:24@${D} AS build\nFROM build\nCOPY --from=build /a /a`,
    `    image: postgres:18@${D}`,
    '    image: crypto-payment-gateway:local',
    `    container:\n      image: 'node:20@${D}'`,
    `      - uses: actions/checkout@${COMMIT} # v7.0.1`,
    `        uses: github/codeql-action/init@${COMMIT} # v4`,
    '    uses: ./.github/workflows/ci.yml',
  ])('pass by content: %j', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    ['FROM node:24', 'node:24 is not pinned to a tag and its digest'],
    ['FROM node', 'node is not pinned to a tag and its digest'],
    ['FROM --platform=linux/amd64 node:24 AS build', 'node:24 is not pinned to a tag and its digest'],
    [`FROM node@${D}`, `node@${D} is not pinned to a tag and its digest`],
    [`FROM node:24@${D.slice(0, -1)}`, `node:24@${D.slice(0, -1)} is not pinned to a tag and its digest`],
    ['COPY --from=busybox:1 /bin/sh /bin/sh', 'busybox:1 is not pinned to a tag and its digest'],
    ['    image: postgres:18', 'postgres:18 is not pinned to a tag and its digest'],
    ['    container: debian:12', 'debian:12 is not pinned to a tag and its digest'],
    ['      - uses: actions/checkout@v7', 'actions/checkout@v7 is not pinned to a commit'],
    ['      - uses: docker://alpine:3', 'docker://alpine:3 is not pinned to a commit'],
    [
      `      - uses: actions/checkout@${COMMIT}`,
      `actions/checkout@${COMMIT} has no comment with its version`,
    ],
  ])('fail by a name that can move: %j', (text, problem) => {
    expect(problemsOf(text)).toEqual([`file:1: ${problem}`]);
  });

  it('fail when one tag has two digests', () => {
    const other = `sha256:${'0c'.repeat(32)}`;
    expect(problemsOf(`FROM node:24@${D}\nFROM node:24@${other}`)).toEqual([
      'file:2: node:24 has another digest elsewhere',
    ]);
  });
});
