/**
 * Refuses an older Node.js in words. It stays a file of its own when the package is built, and is imported first: undici
 * itself fails there with an error that names no version.
 */
const { node, bun, deno } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);

if (bun === undefined && deno === undefined && (major < 22 || (major === 22 && minor < 19)))
  throw new Error(`@partnerkit/undici needs Node.js 22.19 or newer; this is Node.js ${node}.`);
