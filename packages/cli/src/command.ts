import { parseArgs } from 'node:util';
import { closestWord } from '@partnerkit/core/adapter';
import { UsageError } from './cli-error.ts';
import { type CommandName, commandNames, isCommand, operandOf, options, takes } from './usage.ts';

/** The values of the options. */
type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** A parsed command line. */
export interface Command {
  readonly name: 'help' | CommandName;
  /** The operand; absent: none was given. Of `help`, the command that it explains. */
  readonly operand: string | undefined;
  readonly values: Values;
}

/** The earlier spelling of `--forward-to`. */
const forward = /^--forward(?=$|=)/;

const parse = (args: readonly string[]) => {
  try {
    const spelled = args.map((arg) => arg.replace(forward, '--forward-to'));
    return parseArgs({ args: spelled, options, allowPositionals: true });
  } catch (cause) {
    throw new UsageError((cause as Error).message);
  }
};

const unknownCommand = (name: string): UsageError => {
  const meant = closestWord(name, commandNames);
  return new UsageError(
    `Unknown command "${name}"${meant === undefined ? `. Use one of ${commandNames.join(', ')}.` : `; did you mean "${meant}"?`}`,
  );
};

/** Parses a command line. @throws UsageError that names the mistake. */
export const parseCommand = (args: readonly string[]): Command => {
  const { values, positionals } = parse(args);
  const [name, operand, ...more] = positionals;
  if (name === 'help') return { name, operand, values };
  if (values.help) return { name: 'help', operand: name, values };
  if (name === undefined) throw new UsageError('Which command?');
  if (!isCommand(name)) throw unknownCommand(name);
  const other = Object.keys(values).find((option) => !takes(name, option));
  if (other) throw new UsageError(`--${other} does not belong to ${name}.`);
  const { operand: shown, needs } = operandOf(name);
  const surplus = shown === '' ? operand : more[0];
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is too much.`);
  if (needs !== undefined && operand === undefined) throw new UsageError(`${name} needs ${needs}.`);
  return { name, operand, values };
};

/** The command that `help` explains; `undefined`: all. @throws UsageError */
export const explainedCommand = ({ operand }: Command): CommandName | undefined => {
  if (operand === undefined || isCommand(operand)) return operand;
  if (operand === 'help') return undefined;
  throw unknownCommand(operand);
};

/** A whole number of an option. @throws UsageError */
export const readInteger = (option: string, text: string, minimum: number, maximum: number): number => {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(`--${option} needs a whole number from ${minimum} to ${maximum}.`);
};
