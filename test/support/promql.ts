/** What an expression asks for. */
export interface Query {
  selectors: { name: string; labels: Record<string, string> }[];
  /** Labels that it groups by, or matches on. */
  groupings: string[];
}

const AGGREGATIONS = ['avg', 'count', 'max', 'min', 'sum', 'topk'];
const FUNCTIONS = [
  'absent',
  'changes',
  'histogram_quantile',
  'increase',
  'max_over_time',
  'min_over_time',
  'rate',
  'time',
];
/** Their argument is a range of samples. */
const OVER_RANGES = new Set(['changes', 'increase', 'max_over_time', 'min_over_time', 'rate']);
const KEYWORDS = new Set(['and', 'or', 'unless', 'bool']);
const GROUPINGS = new Set(['by', 'without', 'on', 'ignoring']);
const TOKEN =
  /\s*(?:(?<string>"[^"\\]*")|(?<range>\[\d+[smhd]\])|(?<number>\d+(?:\.\d+)?)|(?<word>[a-zA-Z_:][\w:]*)|(?<sign>=~|!~|!=|==|<=|>=|[-+*/(){},=<>]))/y;

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (expression.slice(TOKEN.lastIndex).trim() !== '') {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(expression);
    if (!found) throw new Error(`what is "${expression.slice(at)}" in ${expression}?`);
    tokens.push(found[0].trim());
  }
  return tokens;
}

/**
 * The part of Prometheus' language that our own files use, no more: words that it does not know are errors.
 * @throws Error where brackets do not match, a function is unknown, or a range is missing or too much
 */
export function readQuery(expression: string): Query {
  const tokens = tokensOf(expression);
  const query: Query = { selectors: [], groupings: [] };
  const open: { sign: string; isOverRange: boolean }[] = [];
  const fail = (why: string): never => {
    throw new Error(`${why} in ${expression}`);
  };
  const list = (from: number): number => {
    if (tokens[from] !== '(') fail('a grouping without labels');
    let i = from + 1;
    for (; tokens[i] !== ')'; i++) {
      const token = tokens[i] ?? fail('a grouping without an end');
      if (token !== ',') query.groupings.push(token);
    }
    return i;
  };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? '';
    const next = tokens[i + 1];
    if (token === '(') {
      open.push({ sign: token, isOverRange: OVER_RANGES.has(tokens[i - 1] ?? '') });
    } else if (token === ')') {
      if (open.pop()?.sign !== '(') fail('a bracket too many');
    } else if (GROUPINGS.has(token)) {
      i = list(i + 1);
    } else if (/^[a-zA-Z_:]/.test(token) && !KEYWORDS.has(token)) {
      const isAggregation = AGGREGATIONS.includes(token) && (next === '(' || GROUPINGS.has(next ?? ''));
      if (isAggregation || (FUNCTIONS.includes(token) && next === '(')) continue;
      if (next === '(') fail(`the function ${token} is not known`);
      const labels: Record<string, string> = {};
      if (next === '{') {
        for (i += 2; tokens[i] !== '}'; i += 3) {
          const [label, , value] = tokens.slice(i, i + 3);
          if (!label || !value?.startsWith('"')) fail('a label without a value');
          labels[label ?? ''] = JSON.parse(value ?? '""') as string;
          if (tokens[i + 3] === ',') i++;
        }
      }
      const hasRange = tokens[i + 1]?.startsWith('[') === true;
      if (hasRange !== (open.at(-1)?.isOverRange === true))
        fail(`${token} has a range where it must not, or none`);
      query.selectors.push({ name: token, labels });
    }
  }
  if (open.length > 0) fail('a bracket too few');
  return query;
}
