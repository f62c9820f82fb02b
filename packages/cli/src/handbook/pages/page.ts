import type { Platform } from '../platform.ts';
import type { TextKey } from '../texts/catalogue.ts';
import type { Texts } from '../texts/texts.ts';

/** The names of the pages, in their order. */
export const pageNames = [
  'start',
  'login',
  'accounts',
  'operations',
  'requests',
  'webhooks',
  'objects',
  'events',
  'signature',
  'retries',
  'errors',
  'sandbox',
  'changes',
] as const;

export type PageName = (typeof pageNames)[number];

/** What a page is written from. */
export interface PageSource {
  readonly platform: Platform;
  readonly texts: Texts;
}

/** Writes the content of a page in Markdown. `undefined`: the platform has nothing to say there. */
export type WritePage = (source: PageSource) => string | undefined;

export const titleOf = (name: PageName, { platform, texts }: PageSource): string =>
  texts.t(`${name}.title` satisfies TextKey, { name: platform.name });

export const descriptionOf = (name: PageName, { platform, texts }: PageSource): string =>
  texts.t(`${name}.description` satisfies TextKey, { name: platform.name });

/** The file of a page, to which the others link. */
export const fileOf = (name: PageName): string => `${name}.md`;

/** A link to a page, in its own words. */
export const linkTo = (name: PageName, source: PageSource): string => `[${titleOf(name, source)}](${fileOf(name)})`;

/** Where each page is, as values of texts. */
export const places = Object.fromEntries(pageNames.map((name) => [name, fileOf(name)])) as Readonly<
  Record<PageName, string>
>;
