// Writes what the server part serves, and what hosts serve or bundle themselves.
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { bundle, bundleHash } from './bundle.mjs';

const file = (path) => new URL(`../dist/${path}`, import.meta.url);
const values = Object.entries({ bundle, bundleHash }).map(([name, value]) => [name, JSON.stringify(value)]);

await mkdir(file('element'), { recursive: true });
await writeFile(file('element.js'), "import './element/portal.js';\n");
for (const [name, text] of Object.entries(bundle)) await writeFile(file(`element/${name}`), text);
await cp(new URL('element.d.mts', import.meta.url), file('element.d.ts'));
await writeFile(file('bundle.js'), values.map(([name, text]) => `export const ${name} = ${text};\n`).join(''));
await writeFile(file('bundle.cjs'), values.map(([name, text]) => `exports.${name} = ${text};\n`).join(''));
await cp(new URL('../src/element/messages', import.meta.url), file('messages'), { recursive: true });
