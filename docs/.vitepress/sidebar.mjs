// The sidebar: pages by what a reader comes for, the API reference by who reads it. A page is called what its first
// heading says.
import { readdirSync, readFileSync } from 'node:fs';
import { modulesOf, readers, readersOf, readPackages } from '../../tools/packages.ts';

const docs = new URL('../', import.meta.url);
const reference = JSON.parse(readFileSync(new URL('reference/api/typedoc-sidebar.json', docs), 'utf8'));

const titleOf = (path) => /^# (.+)$/m.exec(readFileSync(new URL(path, docs), 'utf8'))[1].replaceAll('`', '');
const page = (path, link = `/${path.replace(/\.md$/, '')}`) => ({ text: titleOf(path), link });

/** The pages of a folder: those of `order` first, then the others by name, without those of another group. */
const pagesOf = (folder, order = [], others = []) => {
  const names = readdirSync(new URL(folder, docs))
    .filter((name) => name.endsWith('.md'))
    .filter((name) => !others.includes(name.replace(/\.md$/, '')));
  const first = order.map((name) => `${name}.md`);
  return [...first, ...names.filter((name) => !first.includes(name)).toSorted()].map((name) =>
    page(`${folder}/${name}`),
  );
};

/** In the order of the page of packages. */
const listed = readFileSync(new URL('start/packages.md', docs), 'utf8');
const table = listed.slice(listed.indexOf('## All packages'));
const position = ({ folder }) => table.search(new RegExp(`/packages/${folder}(/README)?\\.md\\)`));
const packages = readPackages().toSorted((a, b) => position(a) - position(b));

/** The link to the reference of an entry. */
const itemOf = (name) => {
  const { link } = reference.find(({ text }) => text === name) ?? {};
  if (!link) throw new Error(`The reference has no ${name}: the comment at its top names it (@module ${name}).`);
  return { text: `@partnerkit/${name}`, link };
};
/** The entries that some read: first those of whole packages. */
const modulesFor = (reader) => {
  const [whole, parts] = [true, false].map((isWhole) =>
    packages.filter((each) => (readersOf(each, '.') === reader) === isWhole),
  );
  return [...whole, ...parts].flatMap((each) => modulesOf(each).filter(({ path }) => readersOf(each, path) === reader));
};
const forReaders = readers.map((reader) => ({
  text: `For ${reader}`,
  collapsed: true,
  items: modulesFor(reader).map(({ name }) => itemOf(name)),
}));

/** The members of an entry, by their kind. */
const membersOf = (name) => {
  const { items = [] } = reference.find(({ text }) => text === name) ?? {};
  const kindOf = ({ link }) => link.split('/').at(-2);
  return [...Map.groupBy(items, kindOf)].map(([kind, members]) => ({
    text:
      { classes: 'Classes', functions: 'Functions', interfaces: 'Interfaces', variables: 'Variables' }[kind] ?? 'Types',
    items: members,
  }));
};

const guides = [
  'accounts',
  'objects',
  'executors',
  'portal',
  'management',
  'openapi',
  'develop-locally',
  'jest',
  'receiving',
  'wire-profiles',
  'move-webhooks',
  'move-oauth',
  'move-requests',
  'leave',
];
/** The guides of deposits and payment requests, a group of their own. */
const requests = [
  'requests',
  'take-a-payment',
  'hold-a-deposit',
  'settle-a-claim',
  'after-the-commit',
  'connect-your-processor',
  'transactions',
  'requests-api',
  'extend-requests',
  'request-tables',
  'car-hire',
];

/** Where the kinds of readers begin. */
const doors = [
  { text: 'Objects of your own', link: '/start/getting-started' },
  { text: 'Deposits and payment requests', link: '/guides/requests' },
  { text: 'Partners that you have already', link: '/guides/move-webhooks' },
  { text: 'Receive webhooks', link: '/guides/receiving' },
];

export const sidebar = [
  { text: 'Where to begin', items: doors },
  {
    text: 'Set up',
    items: pagesOf('start', [
      'getting-started',
      'wiring',
      'packages',
      'sqlite',
      'mysql',
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
    items: pagesOf('guides', guides, requests),
  },
  { text: 'Deposits and payment requests', items: requests.map((name) => page(`guides/${name}.md`)) },
  { text: 'Concepts', items: pagesOf('concepts', ['glossary', 'delivery', 'security', 'threat-model']) },
  {
    text: 'Operations',
    items: pagesOf('operations', ['operating', 'observability', 'reliability', 'scale', 'performance']),
  },
  { text: 'Decide', items: [page('comparison.md'), page('limits.md'), page('stability.md')] },
  {
    text: 'Reference',
    items: [
      ...pagesOf('reference', ['specification', 'catalogue', 'requests']),
      {
        text: 'Packages',
        collapsed: true,
        items: packages.map(({ folder }) => page(`../packages/${folder}/README.md`, `/packages/${folder}`)),
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
      { text: 'Decisions', collapsed: true, items: pagesOf('decisions', ['index']) },
    ],
  },
];

/** Beside the reference of an entry: the entries that its readers have, and its own members. */
const referenceSidebars = packages.flatMap((each) =>
  modulesOf(each).map(({ name }) => [
    `/reference/api/${name}/`,
    [
      { text: 'All pages', link: '/start/getting-started' },
      { text: 'API reference', link: '/reference/api/', collapsed: true, items: forReaders },
      { ...itemOf(name), items: membersOf(name) },
    ],
  ]),
);

/** The sidebar of each part of the site. */
export const sidebars = { '/': sidebar, ...Object.fromEntries(referenceSidebars) };
