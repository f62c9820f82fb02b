import type { en } from './en.ts';

/** The name of a text. */
export type TextKey = keyof typeof en;
/** The texts of a language. */
export type Catalogue = Readonly<Record<TextKey, string>>;
