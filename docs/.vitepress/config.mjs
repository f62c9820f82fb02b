import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { anchorOf } from '../../tools/docs/links.mjs';
import { writeMarkdown } from './markdown.mjs';
import { renderForSearch, searchOptions } from './search.mjs';
import { sidebar, sidebars } from './sidebar.mjs';

const repository = 'https://github.com/partnerkit/partnerkit';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The page that a Markdown file becomes: both are paths, one from the root of the repository, one from that of the
 * site.
 */
const pageOf = (file) =>
  file
    .replace(/^docs\//, '')
    .replace(/^packages\/([^/]+)\/README\.md$/, 'packages/$1.md')
    .replace(/^CONTRIBUTING\.md$/, 'contributing.md')
    .replace(/^SECURITY\.md$/, 'security-policy.md');

/** The packages that have a page. */
const described = readdirSync(join(root, 'docs/packages')).map((name) => name.replace(/\.md$/, ''));

/** Files link to files. On the site such a link leads to the page of that file, or to the repository if it has none. */
const linkTo = (href, from) => {
  const [path, anchor] = href.split('#');
  const file = join(dirname(relative(root, from)), path);
  const page = pageOf(file);
  const isPage = page !== file && page.endsWith('.md');
  return `${isPage ? `/${page}` : `${repository}/blob/main/${file}`}${anchor ? `#${anchor}` : ''}`;
};

const specification = readFileSync(join(root, 'docs/reference/specification.md'), 'utf8');
const sections = new Map(
  [...specification.matchAll(/^#+ ((\d[\d.]*) .+)$/gm)].map(([, heading, id]) => [id, anchorOf(heading)]),
);

/** The anchor of a section of the specification, such as `6.5`, on the page that states it. */
const sectionLink = (id) => {
  if (!sections.has(id)) throw new Error(`docs/reference/specification.md has no section ${id}.`);
  return `/reference/specification.md#${sections.get(id)}`;
};

/** "specification §1.2, §1.3": each section becomes a link. */
const linkSections = (token, Token) => {
  const named = /[Ss]pecification,? \(?§[\d.]*\d(?:(?:, | and | to )§[\d.]*\d)*/.exec(token.content);
  if (token.type !== 'text' || named === null) return [token];
  const text = (content) => Object.assign(new Token('text', '', 0), { content });
  const link = (name) => {
    const open = new Token('link_open', 'a', 1);
    open.attrSet('href', sectionLink(name.slice(1)));
    return [open, text(name), new Token('link_close', 'a', -1)];
  };
  const end = named.index + named[0].length;
  return [
    text(token.content.slice(0, named.index)),
    ...named[0].split(/(§[\d.]*\d)/).flatMap((part) => (part.startsWith('§') ? link(part) : [text(part)])),
    ...linkSections(text(token.content.slice(end)), Token),
  ];
};

const extendMarkdown = (markdown) => {
  markdown.core.ruler.push('sections', ({ tokens, env, Token }) => {
    // The page itself names its sections without links.
    if (env.relativePath === 'reference/specification.md') return;
    for (const token of tokens.filter(({ children }) => children))
      token.children = token.children.flatMap((child) => linkSections(child, Token));
  });
  markdown.core.ruler.push('links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : '';
      if (/^(?![a-z]+:|[#/])./.test(href)) token.attrSet('href', linkTo(href, env.realPath ?? env.path));
    }
  });
  // Variables of templates, such as {{guest}}, are text and no expressions of Vue.
  markdown.renderer.rules.code_inline = (tokens, index) =>
    `<code v-pre>${markdown.utils.escapeHtml(tokens[index].content)}</code>`;
  // A diagram is text until the theme draws it.
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...more) =>
    tokens[index].info === 'mermaid'
      ? `<pre class="mermaid" v-pre>${markdown.utils.escapeHtml(tokens[index].content)}</pre>`
      : fence(tokens, index, ...more);
};

const description = 'A partner interface for platforms: OAuth client credentials, scoping, signed webhooks.';

export default defineConfig({
  title: 'partnerkit',
  description,
  base: process.env.DOCS_BASE ?? '/',
  // A package is described by its README, or by a page in docs/packages if it needs more.
  srcDir: '..',
  srcExclude: [
    'README.md',
    'CHANGELOG.md',
    '.changeset/**',
    'examples/**',
    'bench/**',
    'tools/**',
    'packages/*/CHANGELOG.md',
    'packages/*/skills/**',
    ...described.map((name) => `packages/${name}/README.md`),
  ],
  rewrites: pageOf,
  vite: {
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
    // The search index and the script that draws diagrams are large, and loaded when they are needed.
    build: { chunkSizeWarningLimit: 4_096 },
  },
  buildEnd: (site) => writeMarkdown(site, { sidebar, description, linkTo }),
  metaChunk: true,
  markdown: { config: extendMarkdown, anchor: { slugify: anchorOf } },
  transformHead: ({ siteData }) => [['link', { rel: 'icon', type: 'image/svg+xml', href: `${siteData.base}logo.svg` }]],
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Start', link: '/start/getting-started' },
      { text: 'Guides', link: '/guides/accounts' },
      { text: 'Operations', link: '/operations/operating' },
      { text: 'API', link: '/reference/api/' },
    ],
    sidebar: sidebars,
    outline: [2, 3],
    search: { provider: 'local', options: { _render: renderForSearch, miniSearch: { searchOptions } } },
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/:path`, text: 'Edit this page' },
    notFound: {
      title: 'Page not found',
      quote: 'Search for what you need, or begin at the start.',
      linkText: 'To the start',
    },
    footer: { message: 'MIT licence' },
  },
});
