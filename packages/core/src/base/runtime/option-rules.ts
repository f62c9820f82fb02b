import { unknownName } from './did-you-mean.ts';

/** A problem of an option. @public */
export interface OptionProblem {
  readonly path: readonly PropertyKey[];
  /** The end of a sentence, with the remedy. */
  readonly message: string;
  /** Whether the message is a sentence of its own, about the names inside of `path`. */
  readonly isOfNames?: boolean;
}

/**
 * Finds the problems of the value of an option; none is an empty list. Plain functions, because they are built when a
 * kit is created: schemas of zod would cost more time than the check.
 * @public
 */
export type OptionRule = (value: unknown) => readonly OptionProblem[];

/** The rules of options, by name. */
export type OptionRules<N extends PropertyKey = string> = Readonly<Record<N, OptionRule>>;

/** The required methods of a port. @public */
export type RequiredMethods<P> = { [K in keyof P]-?: undefined extends P[K] ? never : K }[keyof P];

type Members = Readonly<Record<string, unknown>>;

const none: readonly OptionProblem[] = [];

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The problem `message`, which a function may make of the value. */
export const problem = (message: string, ...path: readonly PropertyKey[]): readonly OptionProblem[] => [
  { path, message },
];

const within = (key: PropertyKey, problems: readonly OptionProblem[]): readonly OptionProblem[] =>
  problems.map((each) => ({ ...each, path: [key, ...each.path] }));

export const anything: OptionRule = () => none;

/** A value that passes the test; `message` is the end of a sentence. */
export const must =
  (message: string, test: (value: unknown) => unknown): OptionRule =>
  (value) =>
    test(value) ? none : problem(message);

/** A value that passes the rule, or `undefined`. */
export const optional =
  (rule: OptionRule): OptionRule =>
  (value) =>
    value === undefined ? none : rule(value);

/** The problems of the first rule that finds some. */
export const every =
  (...rules: readonly OptionRule[]): OptionRule =>
  (value) => {
    for (const rule of rules) {
      const found = rule(value);
      if (found.length > 0) return found;
    }
    return none;
  };

export const functionOption = must('must be a function.', (value) => typeof value === 'function');

export const booleanOption = must('must be true or false.', (value) => typeof value === 'boolean');

/** A whole number of at least `least`. */
export const wholeNumber = (least: number): OptionRule =>
  must(`must be a whole number from ${least}.`, (value) => Number.isSafeInteger(value) && (value as number) >= least);

/** A text of this shape; `message` is the end of a sentence. */
export const text = (message = 'must be a text.', shape = /^/): OptionRule =>
  must(message, (value) => typeof value === 'string' && shape.test(value));

/** One of these texts. */
export const oneOf = (...values: readonly string[]): OptionRule =>
  must(`must be ${values.map((each) => `'${each}'`).join(' or ')}.`, (value) => values.includes(value as string));

/** A list of values; `message` is for what is no list. */
export const listOf =
  (rule: OptionRule, message: string | ((value: unknown) => string)): OptionRule =>
  (value) =>
    Array.isArray(value)
      ? value.flatMap((each, at) => within(at, rule(each)))
      : problem(typeof message === 'string' ? message : message(value));

/** An object that has these members, among others. */
export const withMembers =
  (rules: OptionRules): OptionRule =>
  (value) =>
    isObject(value)
      ? Object.entries(rules).flatMap(([name, rule]) => within(name, rule(value[name])))
      : problem('must be an object.');

/** An object with these options, and no other. `elsewhere`: options in other places, such as `advanced.clock`. */
export const exactly = (rules: OptionRules, elsewhere: readonly string[] = []): OptionRule => {
  const check = withMembers(rules);
  return (value) => {
    const unknown = isObject(value) ? unknownName('option', value, Object.keys(rules), elsewhere) : undefined;
    return unknown === undefined ? check(value) : [...check(value), { path: [], message: unknown, isOfNames: true }];
  };
};

/** The problem of a value in the place of a port, as the end of a sentence; `undefined` when there is none. */
const wrongPort = (value: unknown, methods: readonly string[]): string | undefined => {
  if (value === undefined || value === null) return 'is missing.';
  if (typeof value === 'function') return 'is a function: call it.';
  if (typeof value !== 'object') return `is a ${typeof value}.`;
  if ('then' in value) return 'is a promise: await it.';
  const missing = methods.find((name) => typeof (value as Members)[name] !== 'function');
  return missing && `has no method ${missing}.`;
};

/** An implementation of a port. The type requires the name of each of its methods. */
export const port =
  <P>(methods: Readonly<Record<RequiredMethods<P>, true>>, remedy: string): OptionRule =>
  (value) => {
    const wrong = wrongPort(value, Object.keys(methods));
    return wrong === undefined ? none : problem(`${wrong} ${remedy}`.trim());
  };

/** `sealingKeys[0].key` */
const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1);

/**
 * Rules of options, for {@link assertOptions}. Each says what to pass in place of a wrong value.
 * @public
 */
export const optionRules = {
  anything,
  boolean: booleanOption,
  every,
  exactly,
  function: functionOption,
  listOf,
  must,
  oneOf,
  optional,
  port,
  text,
  wholeNumber,
} as const;

/**
 * Checks the options of a public function, for adapters. An unknown name is answered with the closest known one.
 * @param caller - The function that takes the options.
 * @example
 * const rule = optionRules.exactly({ timeout: optionRules.optional(optionRules.wholeNumber(1)) });
 * assertOptions('myStorage', rule, { timeout: 5_000 });
 * @throws TypeError that names each wrong option and its remedy.
 * @public
 */
export const assertOptions = (caller: string, rule: OptionRule, options: unknown): void => {
  const problems = rule(options);
  if (problems.length === 0) return;
  const sentences = problems.map(({ path, message, isOfNames }) => {
    const place = placeOf(path);
    if (isOfNames) return place === '' ? message : `${place}: ${message}`;
    return place === '' ? `the options ${message}` : `the option ${place} ${message}`;
  });
  throw new TypeError(`${caller}: ${sentences.join(' ')}`);
};
