import { descriptionOf, fileOf, type PageName, type PageSource, titleOf } from './pages/page.ts';
import { withoutMarks } from './places.ts';

/** A page that is ready to be written. */
export interface WrittenPage {
  readonly name: PageName;
  readonly text: string;
}

const head = ({ platform, texts }: PageSource): string =>
  `# ${texts.t('handbook.title', { name: platform.name })}\n\n> ${texts.t('handbook.description', { name: platform.name })}\n`;

/** The index for language models (llmstxt.org). */
export const llmsIndex = (pages: readonly WrittenPage[], source: PageSource): string => {
  const { t } = source.texts;
  const line = (title: string, file: string, text: string): string => `- [${title}](${file}): ${text}`;
  const lines = pages.map(({ name }) => line(titleOf(name, source), fileOf(name), descriptionOf(name, source)));
  const whole = line(t('llms.full'), 'llms-full.txt', t('llms.full-text'));
  return `${head(source)}\n## ${t('llms.pages')}\n\n${[...lines, whole].join('\n')}\n\n`;
};

/** All pages in one file, as readers see them. */
export const llmsFull = (pages: readonly WrittenPage[], source: PageSource): string => {
  const bodies = pages.map(({ text }) =>
    withoutMarks(text)
      .replace(/^---\n[\s\S]*?\n---\n+/, '')
      .trim(),
  );
  return `${head(source)}\n${bodies.join('\n\n')}\n\n`;
};
