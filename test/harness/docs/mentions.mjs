// Where a text names a command of the command line, and how its reader would have to type it.

const SPELLINGS = [
  [
    'checkout',
    /npm run (?:--silent )?(verify:audit|verify|restore:drill)(?![\w:.-])(?: --(?= ))?([^`'"\n]*(?:"[^"\n]*"[^`'"\n]*)*)/g,
  ],
  ['checkout', /npm run (?:--silent )?cli -- ()([^`\n]*)/g],
  ['built', /node dist\/src\/cli\.js ()([^`\n]*)/g],
  [
    'server',
    /(?<![\w/-])payment-gateway ()(?=(?:set-node|remove-node|doctor|verify|users|migrate)\b)([^`\n,]*)/g,
  ],
];
const SCRIPTS = { 'restore:drill': 'restore-drill' };

/** Ends a command: a comment, a redirection, the quote of a string of TypeScript, what a table pads. */
const tidy = (text) =>
  text
    .replace(/\s+#.*$/, '')
    .replace(/\s+(?:\[options\]| in the image).*$/, '')
    .replace(/'(?:[,;)].*)?$/, '')
    .replace(/\s{2,}.*$/, '')
    .trim();

/** @returns place, spelling and arguments of each */
export function listMentions(file, content) {
  return content.split('\n').flatMap((line, index) =>
    SPELLINGS.flatMap(([spelling, pattern]) =>
      [...line.matchAll(pattern)].map(([text, script, rest]) => ({
        where: `${file}:${index + 1}`,
        spelling,
        text,
        args: [SCRIPTS[script] ?? script, tidy(rest)].filter((word) => word !== '').join(' '),
      })),
    ),
  );
}

/** @param made what was made for this one run */
export const withoutPlaceholders = (args, made) =>
  args
    .replace(/--(email|user) ("\$EMAIL"|\S+@\S+)/, `--$1 ${made.email}`)
    .replace(/--to \S+@\S+/, `--to ${made.other}`)
    .replace(/--to \/\S+/, `--to ${made.folder}`)
    .replace('"$OAUTH_CLIENT_ID"', made.client)
    .replace('"$AUDIT_HEAD"', made.head)
    .replace('--dump gateway.dump', `--dump ${made.dump ?? 'gateway.dump'}`)
    .replace(/--database \S+/, `--database ${made.database}`)
    .replace('"$FROM"', '1')
    .replace('"$TO"', '2')
    .replace('"$HEIGHT"', '1');
