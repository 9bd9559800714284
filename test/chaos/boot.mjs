// Starts the program from an image (image.ts): the same modules, linked and evaluated as Node does it, but read from
// one file together with their compiled code. Reading, resolving and compiling 2,000 files is most of a start.
//   node --experimental-vm-modules boot.mjs <image> <url of the program>
import { closeSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vm from 'node:vm';

const [, , imageFile, program] = process.argv;
process.argv.splice(1, 2, fileURLToPath(program));

function readAll(file) {
  const fd = openSync(file, 'r');
  const bytes = Buffer.allocUnsafeSlow(fstatSync(fd).size);
  for (let at = 0; at < bytes.length;) at += readSync(fd, bytes, at, bytes.length - at, at);
  closeSync(fd);
  return bytes;
}

const image = readAll(imageFile);
const headLength = image.readUInt32LE(0);
/** `imports`: by module, what each specifier means. `files`: where source and compiled code are. */
const { imports, requires, files } = JSON.parse(image.toString('utf8', 4, 4 + headLength));
const start = 4 + headLength;
const partOf = ([at, length]) => image.subarray(start + at, start + at + length);
const sourceOf = ({ source, isLatin }) => partOf(source).toString(isLatin ? 'latin1' : 'utf8');

/** Kept for the one start that makes the image. */
const scripts = new Map();
const caches = new Map();
const isMaking = process.env.CHAOS_MAKE_IMAGE !== undefined;
const builtinRequire = createRequire(import.meta.url);

const modules = new Map();

function synthetic(names, values, identifier) {
  const module = new vm.SyntheticModule(
    names,
    () => {
      for (const name of names) module.setExport(name, values(name));
    },
    { identifier },
  );
  return module;
}

function fromCommonJs(exports, identifier) {
  const isObject = exports !== null && (typeof exports === 'object' || typeof exports === 'function');
  const names = isObject ? Object.keys(exports).filter((name) => name !== 'default') : [];
  return synthetic(
    ['default', ...names],
    (name) => (name === 'default' ? exports : exports[name]),
    identifier,
  );
}

function moduleOf({ found, format }) {
  let module = modules.get(found);
  if (module) return module;
  if (format === 'module') module = sourceModule(found);
  else if (found.startsWith('node:')) module = fromCommonJs(builtinRequire(found), found);
  else module = fromCommonJs(Module._load(fileURLToPath(found), undefined, false), found);
  modules.set(found, module);
  return module;
}

function sourceModule(url) {
  const file = files[url];
  if (!file) throw new Error(`${url} is not in the image`);
  const module = new vm.SourceTextModule(sourceOf(file), {
    identifier: url,
    ...(file.code && { cachedData: partOf(file.code) }),
    initializeImportMeta: (meta) => {
      const filename = fileURLToPath(url);
      Object.assign(meta, { url, filename, dirname: path.dirname(filename) });
      meta.resolve = (request) => (imports[url]?.[request] ?? { found: new URL(request, url).href }).found;
    },
    importModuleDynamically: (request) => importFrom(url, request),
  });
  if (isMaking) caches.set(url, module.createCachedData());
  return module;
}

function targetOf(from, request) {
  const target = imports[from]?.[request];
  if (!target) throw new Error(`${from} imports ${request}, which is not in the image`);
  return target;
}

const link = (request, { identifier }) => moduleOf(targetOf(identifier, request));

/** By module, the end of its first dynamic import. */
const ready = new Map();

async function prepare(module) {
  if (module.status === 'unlinked') await module.link(link);
  // As part of a graph that other code links or evaluates.
  while (module.status === 'linking' || module.status === 'evaluating') await nextTurn();
  if (module.status === 'linked') await module.evaluate();
}

async function importFrom(from, request) {
  const module = moduleOf(targetOf(from, request));
  if (!ready.has(module)) ready.set(module, prepare(module));
  await ready.get(module);
  return module;
}

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  const known = parent?.filename && rest[1] === undefined ? requires[parent.filename]?.[request] : undefined;
  return known ?? resolveFilename.call(this, request, parent, ...rest);
};

const compileFromDisk = Module._extensions['.js'];
Module._extensions['.js'] = function (module, filename) {
  const file = files[filename];
  if (!file) return compileFromDisk(module, filename);
  const script = new vm.Script(Module.wrap(sourceOf(file)), {
    filename,
    ...(file.code && { cachedData: partOf(file.code) }),
    importModuleDynamically: (request) => importFrom(pathToFileURL(filename).href, request),
  });
  if (isMaking) scripts.set(filename, script);
  const require = Object.assign((request) => module.require(request), {
    resolve: (request, options) => Module._resolveFilename(request, module, false, options),
    main: process.mainModule,
    extensions: Module._extensions,
    cache: Module._cache,
  });
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, require, module, filename, path.dirname(filename));
};

if (isMaking) {
  // The program runs and answers by now: what it needed is compiled.
  process.once('SIGUSR2', () => {
    for (const [filename, script] of scripts) caches.set(filename, script.createCachedData());
    const codes = Object.fromEntries([...caches].map(([name, code]) => [name, code.toString('base64')]));
    writeFileSync(process.env.CHAOS_MAKE_IMAGE, JSON.stringify(codes));
    process.exit(0);
  });
}

const main = sourceModule(program);
modules.set(program, main);
await main.link(link);
await main.evaluate();
