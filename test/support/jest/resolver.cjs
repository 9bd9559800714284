// Sources import each other as "./x.js" (ESM); under jest the file is "./x.ts". Only ours: some packages ship both.
function resolve(request, options) {
  const isOurs = request.startsWith('.') && !options.basedir.includes('node_modules');
  return options.defaultResolver(
    request,
    isOurs ? { ...options, extensionAlias: { '.js': ['.ts', '.js'] } } : options,
  );
}

// A resolver of its own for imports keeps jest on its asynchronous way of loading, which shared-runtime.cjs is made for.
module.exports = { sync: resolve, async: async (...question) => resolve(...question) };
