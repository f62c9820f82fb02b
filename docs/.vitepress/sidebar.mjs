// The sidebar: pages by what a reader comes for, the API reference by who reads it. A page is called what its first
// heading says.
import { readdirSync, readFileSync } from 'node:fs';

const docs = new URL('../', import.meta.url);
const reference = JSON.parse(readFileSync(new URL('reference/api/typedoc-sidebar.json', docs), 'utf8'));

const titleOf = (path) => /^# (.+)$/m.exec(readFileSync(new URL(path, docs), 'utf8'))[1].replaceAll('`', '');
const page = (path, link = `/${path.replace(/\.md$/, '')}`) => ({ text: titleOf(path), link });

/** The pages of a folder: those of `order` first, then the others by name. */
const pagesOf = (folder, order = []) => {
  const names = readdirSync(new URL(folder, docs)).filter((name) => name.endsWith('.md'));
  const first = order.map((name) => `${name}.md`);
  return [...first, ...names.filter((name) => !first.includes(name)).toSorted()].map((name) =>
    page(`${folder}/${name}`),
  );
};

const forHosts = [
  'core',
  'fastify',
  'express',
  'web',
  'nestjs',
  'portal',
  'jose',
  'undici',
  'postgres',
  'redis',
  'opentelemetry',
];
const packages = [...forHosts, 'receiver', 'client', 'cli', 'testing'];

const entries = packages.flatMap((name) => {
  const { exports } = JSON.parse(readFileSync(new URL(`../packages/${name}/package.json`, docs), 'utf8'));
  // What lies outside of `src` is described by a guide.
  const isModule = ({ source }) => source?.startsWith('./src/');
  return Object.keys(exports).flatMap((path) => (isModule(exports[path]) ? [name + path.slice(1)] : []));
});
const undocumented = entries.filter((entry) => !reference.some(({ text }) => text === entry));
if (undocumented.length > 0) throw new Error(`Not in typedoc.json, or of another @module: ${undocumented.join(', ')}.`);

/**
 * Who reads the reference of which entry. An entry under `name/` is read by those who read `name`, unless it is listed
 * itself.
 */
const readers = {
  'For hosts': forHosts,
  'For adapter authors': ['core/ports', 'core/http'],
  'For partners': ['receiver', 'client', 'core/receiver'],
  'For tests': ['testing', 'core/memory'],
};
const listed = Object.values(readers).flat();
const readsOf = (entry) => (listed.includes(entry) ? entry : entry.split('/')[0]);
const unread = reference.filter(({ text }) => !listed.includes(readsOf(text)));
if (unread.length > 0) throw new Error(`No reader in sidebar.mjs: ${unread.map(({ text }) => text).join(', ')}.`);

const entriesFor = (entries) => entries.flatMap((entry) => reference.filter(({ text }) => readsOf(text) === entry));
const nameOf = ({ text, link }) => ({ text: `@partnerkit/${text}`, link });
const forReaders = Object.entries(readers).map(([text, entries]) => ({
  text,
  collapsed: true,
  items: entriesFor(entries).map(nameOf),
}));

export const sidebar = [
  {
    text: 'Start',
    items: pagesOf('start', [
      'getting-started',
      'wiring',
      'fastify',
      'express',
      'nestjs',
      'nextjs',
      'fetch',
      'bun-deno',
      'frameworks',
    ]),
  },
  {
    text: 'Guides',
    items: pagesOf('guides', [
      'accounts',
      'objects',
      'executors',
      'receiving',
      'develop-locally',
      'requests',
      'management',
      'portal',
      'openapi',
    ]),
  },
  { text: 'Concepts', items: pagesOf('concepts', ['delivery', 'security']) },
  { text: 'Operations', items: pagesOf('operations', ['operating', 'observability', 'scale', 'performance']) },
  {
    text: 'Reference',
    items: [
      ...pagesOf('reference', ['specification', 'catalogue', 'bad-input']),
      {
        text: 'Packages',
        collapsed: true,
        items: packages.map((name) => page(`../packages/${name}/README.md`, `/packages/${name}`)),
      },
      ...forReaders,
    ],
  },
  {
    text: 'Project',
    collapsed: true,
    items: [
      page('../CONTRIBUTING.md', '/contributing'),
      ...pagesOf('contributing', ['adapters', 'storages', 'event-types', 'schema', 'tests', 'release']),
      page('../SECURITY.md', '/security-policy'),
    ],
  },
  { text: 'Decisions', collapsed: true, items: pagesOf('decisions', ['index']) },
];
