// Sources import each other as "./x.js" (ESM); under jest the file is "./x.ts". Only ours: some packages ship both.
module.exports = (request, options) => {
  const isOurs = request.startsWith('.') && !options.basedir.includes('node_modules');
  return options.defaultResolver(
    request,
    isOurs ? { ...options, extensionAlias: { '.js': ['.ts', '.js'] } } : options,
  );
};
