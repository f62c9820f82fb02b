// A plugin of TypeDoc: guides stand first, in the order in which they are read and called by their first heading, decisions last and
// together; an entry of a package is called what it is imported as; wide tables have a box to scroll in; diagrams are drawn.
import { copyFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Application, Converter, PageEvent, ReflectionKind, Renderer, TypeScript as ts } from 'typedoc';

/** By the names of their files. What is missing here comes after, and decisions last. */
const order = [
  'getting-started',
  'wiring',
  'wiring-fastify',
  'wiring-express',
  'wiring-fetch',
  'frameworks',
  'executors',
  'accounts',
  'objects',
  'catalogue',
  'requests',
  'receiving',
  'delivery',
  'operating',
  'observability',
  'scale',
  'performance',
  'security',
  'bad-input',
  'SECURITY',
  'CONTRIBUTING',
];

const isDecision = (path) => path.startsWith('adr/');

const rankOf = (path) => {
  if (isDecision(path)) return order.length + 1;
  const rank = order.indexOf(path);
  return rank < 0 ? order.length : rank;
};

const headingOf = ({ content }) => /^# (.+)$/m.exec(content.map(({ text }) => text).join(''))?.[1]?.replaceAll('`', '');

/** What an entry of a package is imported as, by the name that its file gives it here. */
const specifiersOf = (packageName) => {
  const manifest = new URL(`../../packages/${packageName.replace(/^.*\//, '')}/package.json`, import.meta.url);
  const entries = Object.entries(JSON.parse(readFileSync(manifest, 'utf8')).exports);
  return new Map(
    entries.flatMap(([path, { source }]) =>
      source ? [[source.replace(/^\.\/src\/|(\/index)?\.ts$/g, ''), packageName + path.slice(1)]] : [],
    ),
  );
};

/** A heading is also a link in the margin, where TypeDoc drops code. A table has a box to scroll in. A diagram is text until it is drawn. */
const extendMarkdown = (parser) => {
  parser.core.ruler.push('plain-headings', ({ tokens }) => {
    const headings = tokens.filter((_, index) => tokens[index - 1]?.type === 'heading_open');
    for (const token of headings.flatMap(({ children }) => children))
      if (token.type === 'code_inline') token.type = 'text';
  });
  const { fence } = parser.renderer.rules;
  parser.renderer.rules.fence = (tokens, index, ...more) =>
    tokens[index].info === 'mermaid'
      ? `${diagram}${parser.utils.escapeHtml(tokens[index].content)}</pre>`
      : fence(tokens, index, ...more);
  parser.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>';
  parser.renderer.rules.table_close = () => '</table></div>';
};

const diagram = '<pre class="mermaid">';
/** What draws them, by what it is called among the assets. */
const drawing = {
  'mermaid.js': fileURLToPath(import.meta.resolve('@mermaid-js/tiny')),
  'diagrams.js': fileURLToPath(new URL('./diagrams.js', import.meta.url)),
};
const drawn = ({ url, contents }) => {
  const assets = `${'../'.repeat(url.split('/').length - 1)}assets`;
  const scripts = Object.keys(drawing).map((name) => `<script defer src="${assets}/${name}"></script>`);
  return contents.replace('</head>', `${scripts.join('')}</head>`);
};

const byName = (a, b) => (a.name < b.name ? -1 : 1);

export const load = (app) => {
  const pages = new Map();
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, page) => {
    page.name = page.name.replace(/^docs\//, '');
    pages.set(page, page.name);
  });
  // What is taken apart where it is declared.
  app.converter.on(Converter.EVENT_CREATE_PARAMETER, (_context, parameter) => {
    parameter.name = parameter.name.replace('__namedParameters', 'options');
  });
  // Of `readonly [A, ...A[]]` TypeDoc shows `readonly [A, A]`: it asks the compiler, and drops what is a rest. The source says it.
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    const node = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.type;
    if (node?.kind === ts.SyntaxKind.TypeOperator && node.type.kind === ts.SyntaxKind.TupleType)
      reflection.type = context.converter.convertType(context.withScope(reflection), node);
  });
  app.on(Application.EVENT_BOOTSTRAP_END, () => app.options.setValue('markdownItLoader', extendMarkdown));

  const byRank = (a, b) => (pages.has(a) && pages.has(b) ? rankOf(pages.get(a)) - rankOf(pages.get(b)) : 0);
  app.on(Application.EVENT_PROJECT_REVIVE, ({ documents, childrenIncludingDocuments }) => {
    documents.sort(byRank);
    childrenIncludingDocuments.sort(byRank);
  });

  // Addresses are made of the names of files by now; what is read, of headings.
  app.renderer.on(Renderer.EVENT_BEGIN, ({ project }) => {
    for (const [page, path] of pages) page.name = headingOf(page) ?? path;
    for (const { name, children, childrenIncludingDocuments, groups } of project.children) {
      const specifiers = specifiersOf(name);
      for (const entry of children) entry.name = specifiers.get(entry.name) ?? entry.name;
      if (children.every(({ kind }) => kind === ReflectionKind.Module))
        for (const list of [childrenIncludingDocuments, ...groups.map((group) => group.children)]) list.sort(byName);
    }
    const { theme, router } = app.renderer;
    const build = theme.buildNavigation.bind(theme);
    const decisions = new Set(
      [...pages].filter(([, path]) => isDecision(path)).map(([page]) => router.getFullUrl(page)),
    );
    theme.buildNavigation = (whole) => {
      const entries = build(whole);
      const guides = entries.filter(({ kind, path }) => kind === ReflectionKind.Document && !decisions.has(path));
      const packages = entries.filter(({ kind }) => kind !== ReflectionKind.Document);
      const children = entries.filter(({ path }) => decisions.has(path));
      return [...guides, ...packages, { text: 'Decisions', children }];
    };
  });

  // What scrolls can be reached by keyboard.
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = page.contents?.replaceAll('<pre><code', '<pre><code tabindex="0"');
    if (page.contents?.includes(diagram)) page.contents = drawn(page);
  });
  app.renderer.on(Renderer.EVENT_END, ({ outputDirectory }) => {
    for (const [name, file] of Object.entries(drawing)) copyFileSync(file, `${outputDirectory}/assets/${name}`);
  });
};
