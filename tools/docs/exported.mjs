// The implicit imports of an example in a doc comment: exports of its package, and a few well-known names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modulesOf, readPackages, root } from '../packages.ts';

/** Well-known names, with their imports. */
const elsewhere = [
  "import { Hono } from 'hono';",
  "import { createClient } from 'redis';",
  "import { deepStrictEqual, rejects, strictEqual } from 'node:assert';",
  "import { drizzle } from 'drizzle-orm/node-postgres';",
  "import { createPool } from 'mysql2/promise';",
  "import { createServer } from 'node:http';",
  "import type { IncomingMessage, ServerResponse } from 'node:http';",
  "import { isIP } from 'node:net';",
  "import { Kysely, MysqlDialect, PostgresDialect } from 'kysely';",
  "import { test } from 'vitest';",
  "import { writeFile } from 'node:fs/promises';",
  "import { z } from 'zod';",
  "import express from 'express';",
  "import fastify from 'fastify';",
  "import fc from 'fast-check';",
  "import pg from 'pg';",
  "import postgres from 'postgres';",
].flatMap((line) =>
  [.../(?<={).*(?=})|(?<=import )(?!type)\w+/.exec(line)[0].matchAll(/\w+/g)].map(([name]) => [name, line]),
);

/** The exported names of a file: a list, or declarations. */
const namesIn = (text) => [
  ...[...text.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, typeOnly, list]) =>
    [...list.matchAll(/(type )?(\w+)(?=,|\s*$)/g)].map(([, type, name]) => ({ name, type: Boolean(typeOnly ?? type) })),
  ),
  ...[...text.matchAll(/^export (const|type|interface) (\w+)/gm)].map(([, kind, name]) => ({
    name,
    type: kind !== 'const',
  })),
];

const entries = readPackages().flatMap((each) =>
  modulesOf(each).flatMap(({ name: specifier, file }) =>
    namesIn(readFileSync(join(root, file), 'utf8')).map(({ name, type }) => ({
      folder: each.folder,
      name,
      line: `import { ${type ? 'type ' : ''}${name} } from '@partnerkit/${specifier}';`,
    })),
  ),
);

/** The imports of an example of the package in `folder`: from its own package, else from core, else from any other. */
export const importsFor = (folder, source) => {
  const distance = (entry) => (entry.folder === folder ? 2 : entry.folder === 'core' ? 1 : 0);
  const nearest = entries.toSorted((a, b) => distance(a) - distance(b));
  const known = new Map([...elsewhere, ...nearest.map(({ name, line }) => [name, line])]);
  // Skips names after a single dot.
  const named = source.replaceAll(/'[^'\n]*'|\/\/.*/g, '').match(/(?<!\w|(?<!\.\.)\.)[A-Za-z_]\w*/g) ?? [];
  const declares = (name) =>
    new RegExp(`\\b(const|let|class|interface|type) ${name}\\b|import [^;]*\\b${name}\\b`).test(source);
  const lines = named.filter((name) => known.has(name) && !declares(name)).map((name) => known.get(name));
  return [...new Set(lines)].join(' ');
};
