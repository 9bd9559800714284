const { register } = require('node:module');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const ROOT = path.resolve(__dirname, '../../..');
/** Sources and packages are loaded by Node, once per worker. Test files and their support are loaded by jest, for each file. */
const SHARED = [
  `${ROOT}/src/`,
  `${ROOT}/migrations/`,
  `${ROOT}/test/support/contract/contract.ts`,
  '/node_modules/',
];
const IS_MODULE = /\.([cm]?js|ts)$/;

const isShared = (file) => IS_MODULE.test(file) && SHARED.some((part) => file.includes(part));

register(pathToFileURL(`${ROOT}/scripts/typescript-hooks.mjs`));

/**
 * jest loads every module again for every test file, packages included: two seconds of two for most of ours. What has no
 * state that tests could leave behind is loaded once instead; a test file sees it as modules of its own.
 */
module.exports = class SharedRuntime extends Runtime {
  #modules = new Map();
  #sourceMaps = null;

  constructor(...args) {
    super(...args);
    const loader = this.esmLoader;
    const resolveModule = loader.resolveModule.bind(loader);
    loader.resolveModule = async (specifier, from, context) => {
      const file = await this.#sharedFile(specifier, from);
      if (file === null) return resolveModule(specifier, from, context);
      if (!this.#modules.has(file)) this.#modules.set(file, mirror(file, context));
      return this.#modules.get(file);
    };
  }

  async #sharedFile(specifier, from) {
    if (/^(node:|data:|@jest\/globals$)/.test(specifier)) return null;
    const file = await this.esmLoader.resolution.resolveEsmAsync(from, specifier);
    return isShared(file) ? file : null;
  }

  /** Node names files by URL, and knows nothing of the maps that jest keeps of the same code. */
  getSourceMaps() {
    const maps = super.getSourceMaps();
    this.#sourceMaps ??= {
      get: (name) => {
        const file = name.startsWith('file:') ? fileURLToPath(name) : name;
        if (file !== name && file.endsWith('.ts') && isShared(file) && !maps.has(file))
          this.esmLoader.transformCache.transform(file, {
            supportsStaticESM: true,
            supportsDynamicImport: true,
          });
        return maps.get(file);
      },
      [Symbol.iterator]: () => maps[Symbol.iterator](),
    };
    return this.#sourceMaps;
  }
};

async function mirror(file, context) {
  const namespace = await import(pathToFileURL(file).href);
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
