#!/usr/bin/env node
// Migrations are written as .sql and shipped as modules, because bundlers of hosts include no other files. This writes
// the modules.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const folder = new URL('../packages/postgres/src/migrations/', import.meta.url);

const moduleOf = (name, sql) => {
  if (/[`\\]|\$\{/.test(sql)) throw new Error(`${name}: no backtick, backslash or \${ in a migration.`);
  const constant = name.replace(/^\d+_/, '').replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return `// Written by tools/embed-migrations.mjs from ${name}.sql.\n/** @internal */\nexport const ${constant} = \`${sql}\`;\n`;
};

/** The expected modules of the migrations. */
const modules = async () => {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -4));
  return Promise.all(
    names.map(async (name) => ({
      url: new URL(`${name}.ts`, folder),
      text: moduleOf(name, await readFile(new URL(`${name}.sql`, folder), 'utf8')),
    })),
  );
};

/**
 * Reports modules that differ from their migrations.
 * @returns {Promise<readonly string[]>}
 */
export const embeddingFaults = async () => {
  const faults = await Promise.all(
    (await modules()).map(async ({ url, text }) =>
      (await readFile(url, 'utf8').catch(() => '')) === text
        ? []
        : [`${fileURLToPath(url)} differs from its .sql: run node tools/embed-migrations.mjs`],
    ),
  );
  return faults.flat();
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { url, text } of await modules()) await writeFile(url, text);
