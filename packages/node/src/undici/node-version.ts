/**
 * Refuses an older Node.js with a clear message; the error of undici names no version. The build keeps it in a separate
 * file, because it must be evaluated before undici.
 */
const { node, bun, deno } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);

if (bun === undefined && deno === undefined && (major < 22 || (major === 22 && minor < 19)))
  throw new Error(`@partnerkit/node/undici needs Node.js 22.19 or newer; this is Node.js ${node}.`);
