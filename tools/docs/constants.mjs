// Reads constants that a module keeps to itself, and writes numbers as pages do.
import { readFileSync } from 'node:fs';
import { day, hour, minute, second } from '../../packages/core/src/base/runtime/time.ts';
import { root } from '../packages.ts';

const units = { day, hour, minute, second };
const operand = `(?:\\d[\\d_]*|${Object.keys(units).join('|')})`;
const arithmetic = `(${operand}(?: (?:\\*\\*?|[+-]) ${operand})*)(?![\\w.(]| [*/+-])`;
const readSource = (file) => readFileSync(`${root}packages/${file}`, 'utf8');

/**
 * The value of `name` in a file below `packages`: of `const name: Type = …`, `name = …` or `options.name ?? …`, or of
 * the property `name: …`. Its text is arithmetic on numbers and durations.
 */
export const constantOf = (file, name) => {
  const found = new RegExp(`\\b${name}(?:(?:: [A-Z]\\w+)? (?:=|\\?\\?)|:) ${arithmetic}`).exec(readSource(file));
  if (found === null) throw new Error(`packages/${file} has no number "${name}".`);
  return Function(`return ${found[1].replaceAll(/[a-z]+/g, (unit) => units[unit])}`)();
};

/** The list of numbers or durations after `text` in a file below `packages`. */
export const listAfter = (file, text) => {
  const list = /^(?:: readonly DurationMs\[\] = )?\[([\w *,\n]*)\]/.exec(readSource(file).split(text, 2)[1] ?? '')?.[1];
  if (list === undefined) throw new Error(`packages/${file} has no list after "${text}".`);
  return Function(...Object.keys(units), `return [${list}]`)(...Object.values(units));
};

/** The first number after `text` in a file below `packages`. */
export const numberAfter = (file, text) => {
  const digits = /^[\d_]+/.exec(readSource(file).split(text, 2)[1] ?? '')?.[0];
  if (digits === undefined) throw new Error(`packages/${file} has no number after "${text}".`);
  return Number(digits.replaceAll('_', ''));
};

const counted = (unit, name) => (time) => {
  const count = time / unit;
  return `${grouped(count)} ${name}${count === 1 ? '' : 's'}`;
};

/** `10,000`. */
export const grouped = (count) => count.toLocaleString('en-US');
/** `20 seconds`, `1 minute`, `24 hours`, `30 days`. */
export const seconds = counted(second, 'second');
export const minutes = counted(minute, 'minute');
export const hours = counted(hour, 'hour');
export const days = counted(day, 'day');
export const milliseconds = counted(1, 'millisecond');

/** `5 s`, `30 min`, `24 h`: in the largest unit that divides it, days not among them. */
export const short = (time) => {
  const [unit, name] = [
    [hour, 'h'],
    [minute, 'min'],
    [second, 's'],
  ].find(([each]) => time % each === 0);
  return `${time / unit} ${name}`;
};

/** `256 KiB`, `32 MiB`. */
export const size = (bytes) => (bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${bytes / 1_024} KiB`);

const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** `ten`. */
export const word = (count) => words[count] ?? String(count);
