const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const ROOT = path.resolve(__dirname, '../../..');
const SOURCES = [`${ROOT}/src/`, `${ROOT}/migrations/`];
const IS_MODULE = /\.([cm]?js|ts)$/;
/** Support without state or hooks that takes a second to make: the module of the first test file serves the later ones. */
const KEPT = `${ROOT}/test/support/contract/contract.ts`;
let kept = null;

const isSource = (file) => SOURCES.some((folder) => file.startsWith(folder)) && !file.endsWith('spec.ts');
const isShared = (file) => IS_MODULE.test(file) && (isSource(file) || file.includes('/node_modules/'));

/** Where the build has put a source; the global setup has made sure that it is not older. */
function compiled(file) {
  return isSource(file) ? path.join(ROOT, 'dist', path.relative(ROOT, file).replace(/\.ts$/, '.js')) : file;
}

/**
 * jest loads every module again for every test file, packages included: two seconds of two for most of ours. The build
 * and packages, which have no state that tests could leave behind, are loaded once per worker instead, by Node; a test
 * file sees them as modules of its own. No hooks are registered with Node: each import would leave a port behind, and
 * with it the test that was running.
 */
module.exports = class SharedRuntime extends Runtime {
  #modules = new Map();
  #sourceMaps = null;

  constructor(...args) {
    super(...args);
    const loader = this.esmLoader;
    const resolveModule = loader.resolveModule.bind(loader);
    loader.resolveModule = async (specifier, from, context) => {
      const file = await this.#find(specifier, from);
      if (file === KEPT && kept?.status !== 'evaluated')
        return (kept = await resolveModule(specifier, from, context));
      if (file !== KEPT && !isShared(file)) return resolveModule(specifier, from, context);
      if (!this.#modules.has(file)) this.#modules.set(file, mirror(file, context));
      return this.#modules.get(file);
    };
  }

  /** The file that an import means; empty for what is none. */
  async #find(specifier, from) {
    if (/^(node:|data:|@jest\/globals$)/.test(specifier)) return '';
    return this.esmLoader.resolution.resolveEsmAsync(from, specifier);
  }

  /** Node names files by URL, and the compiler has left the map of each beside it. */
  getSourceMaps() {
    const maps = super.getSourceMaps();
    this.#sourceMaps ??= {
      get: (name) => {
        const file = name.startsWith('file:') ? fileURLToPath(name) : name;
        return file.startsWith(`${ROOT}/dist/`) ? `${file}.map` : maps.get(file);
      },
      [Symbol.iterator]: () => maps[Symbol.iterator](),
    };
    return this.#sourceMaps;
  }
};

async function mirror(file, context) {
  const namespace = file === KEPT ? kept.namespace : await import(pathToFileURL(compiled(file)).href);
  const names = Object.keys(namespace);
  const module = new vm.SyntheticModule(
    names,
    () => names.forEach((name) => module.setExport(name, namespace[name])),
    { context, identifier: file },
  );
  await module.link(() => {
    throw new Error(`${file} is loaded already`);
  });
  await module.evaluate();
  return module;
}
