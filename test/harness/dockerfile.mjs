// Follows a Dockerfile without an engine: every stage is a folder, instructions act on folders. It knows the
// instructions that ours uses and stops at any other.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { INSTALL, installPackages } from './packages.mjs';

/** `KEY=value` of ENV and ARG; ours sets one variable a line. */
const ENV = /^(\w+)=(\S*)$/;

/** @returns the last stage: its folder and what the image would run */
export async function followDockerfile({ context, ignore, work, environment }) {
  const text = (await readFile(path.join(context, 'Dockerfile'), 'utf8')).replaceAll(/^#.*$/gm, '');
  const stages = new Map();
  let stage;
  for (const line of text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((row) => row.trim() !== '')) {
    const [, instruction, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    switch (instruction) {
      case 'FROM': {
        const [, base, name = 'final'] = /^(?:--platform=\S+ )?(\S+)(?: AS (\S+))?$/.exec(rest);
        stage = { base, folder: path.join(work, name), env: {}, user: 'root' };
        await mkdir(stage.folder);
        // Whatever the umask says, an image's folders can be entered.
        await chmod(stage.folder, 0o755);
        stages.set(name, stage);
        break;
      }
      case 'WORKDIR':
        stage.workdir = rest;
        break;
      case 'ENV': {
        const [, key, value] = ENV.exec(rest);
        stage.env[key] = value;
        break;
      }
      case 'ARG': {
        // Without a value it is empty, unless the builder sets it.
        const [, key, value = ''] = ENV.exec(rest) ?? [null, rest];
        stage.env[key] = environment[key] ?? value;
        break;
      }
      case 'LABEL':
        break;
      case 'COPY':
        await copy(rest.split(/\s+/), stage, stages, { context, ignore });
        break;
      case 'RUN':
        await run(rest, stage, environment);
        break;
      case 'USER':
        stage.user = rest;
        break;
      case 'EXPOSE':
        stage.port = Number(rest);
        break;
      case 'HEALTHCHECK':
        stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('[')));
        break;
      case 'CMD':
        stage.command = JSON.parse(rest);
        break;
      default:
        throw new Error(`the harness does not know: ${line}`);
    }
  }
  return stage;
}

/** COPY: from the build context, minus what .dockerignore leaves out, or from another stage. */
async function copy(words, stage, stages, { context, ignore }) {
  const from = words[0].startsWith('--from=') ? stages.get(words.shift().slice(7)) : null;
  const target = path.join(stage.folder, words.pop());
  for (const word of words) {
    const source = from
      ? path.join(from.folder, path.relative(from.workdir, word))
      : path.join(context, word);
    if (!from && ignore(word)) throw new Error(`.dockerignore keeps ${word} from the builder`);
    const filter = from ? () => true : (file) => !ignore(path.relative(context, file));
    // A folder's content goes into the target, a file goes below it when it is a folder.
    const isFolder = (await stat(source)).isDirectory();
    const isInto = words.length > 1 || target.endsWith(path.sep) || target === stage.folder;
    const destination = !isFolder && isInto ? path.join(target, path.basename(source)) : target;
    await cp(source, destination, { recursive: true, filter, verbatimSymlinks: true });
  }
}

async function run(command, { folder, env }, environment) {
  if (command === INSTALL.join(' ')) return installPackages(folder, { ...environment, ...env });
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`RUN ${command}: exit code ${code}\n${output}`);
}

/** The rules of a .dockerignore in the form of ours: everything out, some back in, patterns of names out again. */
export async function readDockerignore(file) {
  const rules = (await readFile(file, 'utf8')).split('\n').filter((line) => line && !line.startsWith('#'));
  if (rules[0] !== '*') throw new Error('.dockerignore must begin by leaving everything out');
  const kept = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
  const out = rules.filter((rule) => rule.startsWith('**/*')).map((rule) => rule.slice(4));
  if (kept.length + out.length + 1 !== rules.length)
    throw new Error('the harness does not know a rule of it');
  return (name) =>
    !kept.some((rule) => name === rule || name.startsWith(`${rule}/`)) ||
    out.some((end) => name.endsWith(end));
}
