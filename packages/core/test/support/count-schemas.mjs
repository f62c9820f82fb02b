// Sends how many schemas and checks of zod are built while an entry is loaded. Each one defines its `_zod`.
import 'zod';

const [, , entry] = process.argv;
const { defineProperty } = Object;
let count = 0;
Object.defineProperty = (object, name, descriptor) => {
  if (name === '_zod') count++;
  return defineProperty(object, name, descriptor);
};
await import(new URL(`../../src/${entry}.ts`, import.meta.url).href);
process.send(count);
