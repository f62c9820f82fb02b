import en from './messages/en.json' with { type: 'json' };
import fr from './messages/fr.json' with { type: 'json' };

/** The name of a message. @internal */
export type MessageKey = keyof typeof en;
/** The messages of a language. @internal */
export type Messages = Readonly<Record<string, string>>;
/** Values of `{name}` in a message. */
type MessageValues = Readonly<Record<string, string | number>>;

/** The texts of a language. @internal */
export interface Texts {
  readonly language: string;
  /** The message with its values. `{count}` chooses between `key` and `key.one`, by the plural rules. */
  t(key: MessageKey, values?: MessageValues): string;
  /** The message `prefix.name` if there is one, else `otherwise`. */
  find(prefix: string, name: string, otherwise: string): string;
  /** A date and a time with seconds and zone, in the zone of the reader. */
  dateTime(seconds: number): string;
  /** How long ago or ahead, such as "5 minutes ago". */
  relative(seconds: number, now?: number): string;
  /** A number. */
  number(value: number): string;
  /** Hours and minutes. */
  time(seconds: number): string;
  /** A list of words. */
  list(words: readonly string[]): string;
}

const builtIn: Readonly<Record<string, Messages>> = { en, fr };

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const baseOf = (language: string): string => language.toLowerCase().split('-')[0] ?? language;

/** Languages as `Intl` knows them. */
const isTag = (language: string): boolean => {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
};

/** Creates the texts of a language. English stands in for missing messages. @internal */
export const createTexts = (wanted: string, own: Messages = {}): Texts => {
  const language = isTag(wanted) ? wanted : 'en';
  const messages: Messages = { ...en, ...builtIn[baseOf(language)], ...own };
  const plural = new Intl.PluralRules(language);
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long' });
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  const ago = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const numbers = new Intl.NumberFormat(language);
  const words = new Intl.ListFormat(language);
  const fill = (text: string, values: MessageValues): string =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return typeof value === 'number' ? numbers.format(value) : (value ?? whole);
    });

  return {
    language,
    t: (key, values = {}) => {
      const { count } = values;
      const chosen = typeof count === 'number' ? messages[`${key}.${plural.select(count)}`] : undefined;
      return fill(chosen ?? messages[key] ?? key, values);
    },
    find: (prefix, name, otherwise) => messages[`${prefix}.${name}`] ?? otherwise,
    dateTime: (seconds) => exact.format(seconds * 1_000),
    time: (seconds) => clock.format(seconds * 1_000),
    relative: (seconds, now = Date.now() / 1_000) => {
      const difference = seconds - now;
      const [unit, size] = units.find(([, each]) => Math.abs(difference) >= each) ?? ['second', 1];
      return ago.format(Math.round(difference / size), unit);
    },
    number: (value) => numbers.format(value),
    list: (all) => words.format(all),
  };
};
