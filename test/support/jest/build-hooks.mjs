// What Node itself loads of the tests' support imports the build too, so that there is one copy of each class.
const ROOT = new URL('../../../', import.meta.url).href;

export function resolve(specifier, context, next) {
  const isOurs = specifier.startsWith('.') && context.parentURL?.startsWith(`${ROOT}test/`);
  const url = isOurs ? new URL(specifier, context.parentURL).href : '';
  const isSource = [`${ROOT}src/`, `${ROOT}migrations/`].some((folder) => url.startsWith(folder));
  return next(isSource ? url.replace(ROOT, `${ROOT}dist/`).replace(/\.ts$/, '.js') : specifier, context);
}
