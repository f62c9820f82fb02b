// Each page as Markdown beside its HTML, and an index of them for language models (https://llmstxt.org).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const titleOf = (text) => /^# (.+)$/m.exec(text)?.[1].replaceAll('`', '');

/** The first paragraph after the title, on one line. */
const summaryOf = (text) => /^# .+\n+((?:(?!#|\||```|<).+\n?)+)/m.exec(text)?.[1].trim().replaceAll(/\s+/g, ' ') ?? '';

/** Relative links lead to the Markdown of their page. */
const withLinks = (text, file, linkTo) =>
  text.replaceAll(/\]\((?![a-z]+:|[#/])([^)\s]+)\)/g, (_whole, href) => `](${linkTo(href, file)})`);

/** The lines of an index: a heading for each group of the sidebar, a link for each page. */
const indexOf = (groups, pages, base) =>
  groups.flatMap(({ text, items = [], link }) => {
    const lines = items.flatMap((item) => (item.items ? indexOf([item], pages, base) : lineOf(item, pages, base)));
    return link === undefined && lines.length > 0 ? ['', `## ${text}`, '', ...lines] : lines;
  });
const lineOf = ({ text, link }, pages, base) => {
  const page = pages.get(link.slice(1).replace(/\/$/, '/index'));
  if (page === undefined) return [];
  return [`- [${text}](${base}${page.path})${page.summary && `: ${page.summary}`}`];
};

/**
 * Writes them into the built site: `guides/accounts.md` beside `guides/accounts.html`, `llms.txt`, and `llms-full.txt`
 * with the text of all pages but the reference of the API.
 */
export const writeMarkdown = ({ srcDir, outDir, pages: files, rewrites, site }, { sidebar, description, linkTo }) => {
  const pages = new Map();
  for (const file of files) {
    const path = rewrites.map[file] ?? file;
    const source = join(srcDir, file);
    const text = withLinks(readFileSync(source, 'utf8').replace(/^---\n[\s\S]*?\n---\n/, ''), source, linkTo);
    const target = join(outDir, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    pages.set(path.replace(/\.md$/, ''), { path, text, title: titleOf(text), summary: summaryOf(text) });
  }
  const head = [`# ${site.title}`, '', `> ${description}`];
  const index = [...head, ...indexOf(sidebar, pages, site.base), ''].join('\n');
  const guides = [...pages.values()].filter(({ path }) => !/^(reference\/api|decisions)\//.test(path));
  writeFileSync(join(outDir, 'llms.txt'), index);
  writeFileSync(
    join(outDir, 'llms-full.txt'),
    [...head, ...guides.map(({ text }) => `\n${text.trim()}`), ''].join('\n'),
  );
};
