/**
 * For the environment of a Node.js process that is given no other: most of a start is compiling, and all tests start
 * the same modules.
 */
export const compileCache: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
};
