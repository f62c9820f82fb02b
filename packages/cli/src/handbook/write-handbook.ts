import { llmsFull, llmsIndex, type WrittenPage } from './llms.ts';
import { frontMatter, paragraphs, withFrenchSpaces } from './markdown.ts';
import { pages } from './pages/index.ts';
import { descriptionOf, fileOf, type PageName, type PageSource, pageNames, titleOf } from './pages/page.ts';
import { type EarlierPage, emptyPlace, placeNames, sealed, withOwn } from './places.ts';

/** Reads a file of an earlier run; `undefined`: there is none. */
export type ReadEarlier = (file: string) => EarlierPage | undefined;

const pageText = (name: PageName, source: PageSource): string | undefined => {
  const content = pages[name](source);
  if (content === undefined) return undefined;
  const title = titleOf(name, source);
  const head = frontMatter({ title, description: descriptionOf(name, source), order: pageNames.indexOf(name) + 1 });
  const [beginning, end] = placeNames;
  const parts = [head, `<!-- ${source.texts.t('written')} -->`, `# ${title}`];
  const text = `${paragraphs(parts)}\n\n${emptyPlace(beginning)}\n${content}\n\n${emptyPlace(end)}`;
  return sealed(source.texts.language === 'fr' ? withFrenchSpaces(text) : text);
};

/** The files of a handbook in one language, with the texts of the host in their places. */
export const writeHandbook = (source: PageSource, earlier: ReadEarlier): ReadonlyMap<string, string> => {
  const written = pageNames.flatMap((name): readonly WrittenPage[] => {
    const text = pageText(name, source);
    if (text === undefined) return [];
    return [{ name, text: withOwn(text, earlier(fileOf(name))?.own ?? new Map()) }];
  });
  return new Map([
    ...written.map(({ name, text }) => [fileOf(name), text] as const),
    ['llms.txt', sealed(llmsIndex(written, source))],
    ['llms-full.txt', sealed(llmsFull(written, source))],
  ]);
};
