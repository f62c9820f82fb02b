#!/usr/bin/env node
// Checks the built site: links lead to an existing page and anchor, nothing is loaded from another host, and the search
// finds the right page.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import MiniSearch from 'minisearch';
import { searchOptions } from '../docs/.vitepress/search.mjs';

const dist = fileURLToPath(new URL('../docs/.vitepress/dist', import.meta.url));
const base = process.env.DOCS_BASE ?? '/';

const pages = new Map(
  globSync('**/*.html', { cwd: dist }).map((file) => [file, readFileSync(join(dist, file), 'utf8')]),
);
const ids = new Map(
  [...pages].map(([file, html]) => [file, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
);

const brokenLink = (from, href) => {
  const [path, anchor = ''] = href.split('#');
  if (path.startsWith('/') && !path.startsWith(base)) return 'is not below the base';
  const target = path.startsWith('/') ? path.slice(base.length) : posix.join(posix.dirname(from), path);
  const file = path === '' ? from : target === '' || target.endsWith('/') ? `${target}index.html` : target;
  if (!ids.has(file)) return 'leads to no page';
  return anchor === '' || ids.get(file).has(decodeURIComponent(anchor)) ? undefined : 'leads to no place';
};

const links = [...pages].flatMap(([file, html]) =>
  [...new Set([...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href]) => href))]
    .filter((href) => !/^[a-z]+:/.test(href))
    .flatMap((href) => (brokenLink(file, href) === undefined ? [] : [`${file}: ${href} ${brokenLink(file, href)}.`])),
);

/** Resources that a browser would load by itself. */
const foreign = [
  ...[...pages].flatMap(([file, html]) =>
    [...html.matchAll(/<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)="((?:https?:)?\/\/[^"]*)"/g)].map(
      ([, url]) => `${file} loads ${url}.`,
    ),
  ),
  ...globSync('assets/**/*.css', { cwd: dist }).flatMap((file) =>
    [...readFileSync(join(dist, file), 'utf8').matchAll(/(?:url\(|@import )["']?((?:https?:)?\/\/[^"')]*)/g)].map(
      ([, url]) => `${file} loads ${url}.`,
    ),
  ),
];

/** Search queries, and the page that must be among the first three results. */
const wanted = {
  localhost: /^guides\/develop-locally/,
  NestJS: /^start\/nestjs/,
  rotate: /^(guides\/receiving|operations\/operating)/,
  forbidden_address: /^operations\/operating/,
};
const [chunk] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: dist });
const { default: index } = await import(pathToFileURL(join(dist, chunk)).href);
// Reads the index as the search box of VitePress does.
const search = MiniSearch.loadJSON(index, {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, ...searchOptions },
});
const unfound = Object.entries(wanted).flatMap(([words, page]) => {
  const found = search
    .search(words)
    .slice(0, 3)
    .map(({ id }) => id);
  return found.some((id) => page.test(id.slice(base.length)))
    ? []
    : [`The search for ${words} finds ${found.join(', ')}.`];
});

/** Pages that users do not search for. */
const indexed = Object.values(JSON.parse(index).documentIds).filter((id) =>
  /^(decisions|contributing)\/|^contributing\.html|^reference\/(bad-input|standards)/.test(id.slice(base.length)),
);
const forContributors = [...new Set(indexed.map((id) => id.split('#')[0]))].map((id) => `The search has ${id}.`);

/** Each page has its Markdown beside it, and the index for language models leads to such files only. */
const llms = readFileSync(join(dist, 'llms.txt'), 'utf8');
const listed = [...llms.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, href]) => href.slice(base.length));
const withoutMarkdown = [
  ...[...pages.keys()]
    .filter((file) => file !== '404.html' && !existsSync(join(dist, file.replace(/html$/, 'md'))))
    .map((file) => `${file} has no Markdown beside it.`),
  ...listed
    .filter((file) => !existsSync(join(dist, file)))
    .map((file) => `llms.txt leads to ${file}, which is missing.`),
  ...(listed.length > 40 ? [] : [`llms.txt lists ${listed.length} pages only.`]),
];

const problems = [...links, ...foreign, ...unfound, ...forContributors, ...withoutMarkdown];
for (const problem of problems) console.error(problem);
console.log(`check-site: ${pages.size} pages, ${problems.length} problems.`);
process.exitCode = problems.length > 0 ? 1 : 0;
