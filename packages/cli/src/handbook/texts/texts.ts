import { sentencesOf } from '../fields.ts';
import type { Catalogue, TextKey } from './catalogue.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';
import { frenchSentences } from './french-sentences.ts';
import { frenchComments } from './french-webhooks.ts';

/** The languages of a handbook. */
export type Language = 'en' | 'fr';

/** Translations of sentences that a platform or the library wrote in English. */
export type Sentences = Readonly<Record<string, string>>;

/** The words of a language. */
interface Words {
  readonly texts: Catalogue;
  readonly sentences: Sentences;
  /** Translations of comments in code. */
  readonly comments: Sentences;
}

const catalogues: Readonly<Record<Language, Words>> = {
  en: { texts: en, sentences: {}, comments: {} },
  fr: { texts: fr, sentences: frenchSentences, comments: frenchComments },
};

export const languages = Object.keys(catalogues) as readonly Language[];

export const isLanguage = (text: string): text is Language => Object.hasOwn(catalogues, text);

/** How a page is written in a language. */
export interface Texts {
  readonly language: Language;
  /** A text with its values. */
  t(key: TextKey, values?: Readonly<Record<string, string | number>>): string;
  /** The text of a name that the kit gave, such as an error code. `undefined`: it has none. */
  find(prefix: string, name: string, values?: Readonly<Record<string, string>>): string | undefined;
  /** A description of the document, in this language sentence by sentence; a sentence without translation stays. */
  described(text: string): string;
  /** Code with its comments in this language. */
  commented(code: string): string;
  /** A length of time in words, in its two largest units, such as `2 hours 30 minutes`. */
  duration(ms: number): string;
  /** A size of a body. */
  bytes(count: number): string;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** The sentences of the document that contain names. */
const patterns: readonly (readonly [RegExp, TextKey])[] = [
  [/^Deprecated since (?<since>[\d-]+)\.$/, 'changes.since'],
  [/^Deprecated since (?<since>[\d-]+), until (?<until>[\d-]+)\.$/, 'changes.until'],
  [/^Use (?<instead>\S+)\.$/, 'changes.instead'],
  [/^One of (?<values>`[^.]+`)\.$/, 'objects.values'],
  [/^In the state (?<last>`\w+`), only these can change: (?<fields>`[^:]+`)\.$/, 'operations.only'],
  [
    /^In the state (?<states>`[^:]+`) or (?<last>`\w+`), only these can change: (?<fields>`[^:]+`)\.$/,
    'operations.only-some',
  ],
];

/** The texts of a language. `own` are translations of the platform's descriptions. */
export const createTexts = (language: Language, own: Sentences = {}): Texts => {
  const { texts, sentences, comments } = catalogues[language];
  const known: Sentences = { ...sentences, ...own };
  const numbers = new Intl.NumberFormat(language);
  const unit = (value: number, name: string): string =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'long' }).format(value);
  const t: Texts['t'] = (key, values = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return typeof value === 'number' ? numbers.format(value) : (value ?? whole);
    });
  const patterned = (sentence: string): string | undefined => {
    for (const [form, key] of patterns) {
      const found = form.exec(sentence);
      if (found) return t(key, found.groups);
    }
    return undefined;
  };
  const sentenceOf = (sentence: string): string => {
    const own = known[sentence] ?? patterned(sentence);
    if (own !== undefined) return own;
    // What a value means.
    const [, value, meaning = ''] = /^(`[\w.]+`): (.+)$/.exec(sentence) ?? [];
    return value === undefined ? sentence : t('values.sentence', { value, meaning: known[meaning] ?? meaning });
  };
  return {
    language,
    t,
    find: (prefix, name, values) => {
      const key = `${prefix}.${name}`;
      return Object.hasOwn(texts, key) ? t(key as TextKey, values) : undefined;
    },
    described: (text) => known[text] ?? sentencesOf(text).map(sentenceOf).join(' '),
    commented: (code) =>
      Object.entries(comments).reduce((text, [sentence, own]) => text.replaceAll(sentence, () => own), code),
    duration: (ms) => {
      if (ms === 0) return texts['duration.none'];
      const parts: string[] = [];
      let rest = ms;
      for (const [name, size] of units) {
        const count = Math.floor(rest / size);
        // 24 hours, not 1 day.
        if (count === 0 || (name === 'day' && ms < 2 * size) || parts.length === 2) continue;
        parts.push(unit(count, name));
        rest -= count * size;
      }
      return parts.join(' ');
    },
    bytes: (count) =>
      count % 1_024 === 0
        ? `${numbers.format(count / 1_024)} ${language === 'fr' ? 'Kio' : 'KiB'}`
        : unit(count, 'byte'),
  };
};
