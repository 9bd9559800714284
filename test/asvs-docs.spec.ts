import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const page = read('docs/asvs.md');
const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
/** Rows of the tables whose first cell has numbers of requirements. */
const rows = page
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+/.test(line))
  .map(cellsOf);
const claims = rows.filter((cells) => cells.length === 5);

/** The requirements of levels 1 and 2 in ASVS 5.0.0, by section. Numbers that are missing belong to level 3. */
const REQUIREMENTS: Record<string, readonly number[]> = {
  '1.1': [1, 2],
  '1.2': [1, 2, 3, 4, 5, 6, 7, 8, 9],
  '1.3': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '1.4': [1, 2, 3],
  '1.5': [1, 2],
  '2.1': [1, 2, 3],
  '2.2': [1, 2, 3],
  '2.3': [1, 2, 3, 4],
  '2.4': [1],
  '3.2': [1, 2],
  '3.3': [1, 2, 3, 4],
  '3.4': [1, 2, 3, 4, 5, 6],
  '3.5': [1, 2, 3, 4, 5],
  '3.7': [1, 2],
  '4.1': [1, 2, 3],
  '4.2': [1],
  '4.3': [1, 2],
  '4.4': [1, 2, 3, 4],
  '5.1': [1],
  '5.2': [1, 2, 3],
  '5.3': [1, 2],
  '5.4': [1, 2, 3],
  '6.1': [1, 2, 3],
  '6.2': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  '6.3': [1, 2, 3, 4],
  '6.4': [1, 2, 3, 4],
  '6.5': [1, 2, 3, 4, 5],
  '6.6': [1, 2, 3],
  '6.8': [1, 2, 3, 4],
  '7.1': [1, 2, 3],
  '7.2': [1, 2, 3, 4],
  '7.3': [1, 2],
  '7.4': [1, 2, 3, 4, 5],
  '7.5': [1, 2],
  '7.6': [1, 2],
  '8.1': [1, 2],
  '8.2': [1, 2, 3],
  '8.3': [1],
  '8.4': [1],
  '9.1': [1, 2, 3],
  '9.2': [1, 2, 3, 4],
  '10.1': [1, 2],
  '10.2': [1, 2],
  '10.3': [1, 2, 3, 4],
  '10.4': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '10.5': [1, 2, 3, 4, 5],
  '10.6': [1, 2],
  '10.7': [1, 2, 3],
  '11.1': [1, 2],
  '11.2': [1, 2, 3],
  '11.3': [1, 2, 3],
  '11.4': [1, 2, 3, 4],
  '11.5': [1],
  '11.6': [1],
  '12.1': [1, 2, 3],
  '12.2': [1, 2],
  '12.3': [1, 2, 3, 4],
  '13.1': [1],
  '13.2': [1, 2, 3, 4, 5],
  '13.3': [1, 2],
  '13.4': [1, 2, 3, 4, 5],
  '14.1': [1, 2],
  '14.2': [1, 2, 3, 4],
  '14.3': [1, 2, 3],
  '15.1': [1, 2, 3],
  '15.2': [1, 2, 3],
  '15.3': [1, 2, 3, 4, 5, 6, 7],
  '16.1': [1],
  '16.2': [1, 2, 3, 4, 5],
  '16.3': [1, 2, 3, 4],
  '16.4': [1, 2, 3],
  '16.5': [1, 2, 3],
  '17.1': [1],
  '17.2': [1, 2, 3, 4],
  '17.3': [1, 2],
};
const expected = Object.entries(REQUIREMENTS).flatMap(([section, numbers]) =>
  numbers.map((number) => `${section}.${number}`),
);

/** `path`, and what it must contain, where that is quoted. */
const PROOF = /`((?:[\w.-]+\/)*[\w.-]*\.\w+)`(?: "([^"]+)")?/g;
const proofsOf = (text: string) =>
  [...text.matchAll(PROOF)].map(([, file = '', quoted]) => ({ file, quoted }));

describe('docs/asvs.md', () => {
  it('has every requirement of levels 1 and 2 once', () => {
    const listed = rows.flatMap(([ids = '']) => ids.split(', '));
    expect(listed.toSorted()).toEqual(expected.toSorted());
  });

  it('says of every requirement whether it holds, and proves that it does', () => {
    const wrong = claims.filter(([, , , state = '', proof = '']) =>
      state === 'yes' ? proofsOf(proof).length === 0 : !/^(?:open|operator)$/.test(state) || proof === '',
    );
    expect(wrong).toEqual([]);
  });

  it('counts them', () => {
    const count = (state: string) => claims.filter((cells) => cells[3] === state).length;
    const numbers = /Of the (\d+) .* (\d+) hold, (\d+) are open, (\d+) depend .* and (\d+) do/
      .exec(page)
      ?.slice(1);
    const [yes, open, operator] = [count('yes'), count('open'), count('operator')];
    expect(numbers?.map(Number)).toEqual([
      expected.length,
      yes,
      open,
      operator,
      expected.length - yes - open - operator,
    ]);
  });

  it('quotes tests and lines that exist', () => {
    const proofs = claims.flatMap(([id, , , , proof = '']) => proofsOf(proof).map((one) => ({ id, ...one })));
    const dead = proofs.filter(
      ({ file, quoted }) =>
        !existsSync(path.join(root, file)) || (quoted !== undefined && !read(file).includes(quoted)),
    );
    expect(dead).toEqual([]);
    // Quotation marks that belong to no file would quote nothing that is checked.
    const loose = claims.filter(([, , , , proof = '']) => proof.replaceAll(PROOF, '').includes('"'));
    expect(loose).toEqual([]);
    expect(proofs.length).toBeGreaterThan(200);
  });
});
