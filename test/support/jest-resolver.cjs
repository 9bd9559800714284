// Sources import each other as "./x.js" (ESM); under jest the file is "./x.ts".
module.exports = (request, options) =>
  options.defaultResolver(request, { ...options, extensionAlias: { '.js': ['.ts', '.js'] } });
