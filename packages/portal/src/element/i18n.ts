import { decimalsOf } from './currencies.ts';
import en from './messages/en.json' with { type: 'json' };

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
  /** A length of time, such as "4 min 12 s". */
  duration(ms: number): string;
  /** A number. */
  number(value: number): string;
  /** A share from 0 to 1, rounded down: 100 % is all. */
  percent(share: number): string;
  /** An amount of money. */
  money(amount: number, currency: string): string;
  /** Hours and minutes. */
  time(seconds: number): string;
  /** Hours, minutes and seconds. */
  clock(seconds: number): string;
  /** A day of UTC and its month. */
  day(seconds: number): string;
  /** A list of words. */
  list(words: readonly string[]): string;
}

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

/** The language whose messages are loaded for a language tag. @internal */
export const languageOf = (wanted: string): string => (isTag(wanted) ? baseOf(wanted) : 'en');

/** The tag of a language with the region of the reader, if the reader has the language. */
const withRegion = (language: string, readers: readonly string[]): string =>
  language.includes('-') ? language : (readers.find((each) => baseOf(each) === language && isTag(each)) ?? language);

/**
 * Creates the texts of a language. English stands in for missing messages.
 * @param own - The messages of the language.
 * @param readers - The languages of the reader, for the dates of a region.
 * @internal
 */
export const createTexts = (wanted: string, own: Messages = {}, readers: readonly string[] = []): Texts => {
  const language = isTag(wanted) ? wanted : 'en';
  const region = withRegion(language, readers);
  const messages: Messages = { ...en, ...own };
  const plural = new Intl.PluralRules(language);
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(region, options);
    return (seconds: number): string => made.format(seconds * 1_000);
  };
  const ago = new Intl.RelativeTimeFormat(region, { numeric: 'auto' });
  const numbers = new Intl.NumberFormat(region);
  const percents = new Intl.NumberFormat(region, { style: 'percent', maximumFractionDigits: 1 });
  const words = new Intl.ListFormat(region);
  const unit = (value: number, name: string, digits = 0): string =>
    new Intl.NumberFormat(region, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value);
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
    dateTime: format({ dateStyle: 'medium', timeStyle: 'long' }),
    time: format({ timeStyle: 'short' }),
    clock: format({ timeStyle: 'medium' }),
    day: format({ day: 'numeric', month: 'short', timeZone: 'UTC' }),
    relative: (seconds, now = Date.now() / 1_000) => {
      const difference = seconds - now;
      const [name, size] = units.find(([, each]) => Math.abs(difference) >= each) ?? ['second', 1];
      return ago.format(Math.round(difference / size), name);
    },
    duration: (ms) => {
      if (ms < 1_000) return unit(Math.round(ms), 'millisecond');
      if (ms < 60_000) return unit(ms / 1_000, 'second', 1);
      const [first, ...others] = units
        .toReversed()
        .filter(([, size]) => ms >= size * 1_000)
        .toReversed();
      const [name, size] = first ?? ['minute', 60];
      const whole = Math.floor(ms / 1_000 / size);
      const [nextName, nextSize] = others[0] ?? ['second', 1];
      const rest = Math.floor((ms / 1_000 - whole * size) / nextSize);
      return [unit(whole, name), ...(rest > 0 ? [unit(rest, nextName)] : [])].join(' ');
    },
    number: (value) => numbers.format(value),
    money: (amount, currency) => {
      const decimals = decimalsOf(currency);
      const exact = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
      return new Intl.NumberFormat(region, { style: 'currency', currency, ...exact }).format(amount);
    },
    percent: (share) => percents.format(Math.floor(share * 1_000) / 1_000),
    list: (all) => words.format(all),
  };
};
