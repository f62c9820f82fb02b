import { parseArgs } from 'node:util';
import { closestWord } from '@partnerkit/core/ports';
import { UsageError } from './cli-error.ts';
import { type CommandName, commandNames, isCommand, takes } from './usage.ts';

const options = {
  port: { type: 'string' },
  host: { type: 'string' },
  path: { type: 'string' },
  forward: { type: 'string' },
  record: { type: 'string' },
  cert: { type: 'string' },
  event: { type: 'string' },
  data: { type: 'string' },
  document: { type: 'string' },
  standard: { type: 'boolean' },
  'public-key': { type: 'string', multiple: true },
  times: { type: 'string' },
  ca: { type: 'string' },
  header: { type: 'string', multiple: true },
  out: { type: 'string' },
  clear: { type: 'boolean' },
  account: { type: 'string' },
  endpoint: { type: 'string', multiple: true },
  from: { type: 'string' },
  to: { type: 'string' },
  title: { type: 'string' },
  server: { type: 'string' },
  profile: { type: 'string' },
  name: { type: 'string' },
  url: { type: 'string' },
  secret: { type: 'string', multiple: true },
  'delivery-header': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The values of the options. */
type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** A parsed command line. @internal */
export interface Command {
  readonly name: 'help' | CommandName;
  /** The operand; absent: none was given. Of `help`, the command that it explains. */
  readonly operand: string | undefined;
  readonly values: Values;
}

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
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

/** Parses a command line. @throws UsageError that names the mistake. @internal */
export const parseCommand = (args: readonly string[]): Command => {
  const { values, positionals } = parse(args);
  const [name, operand, ...more] = positionals;
  if (name === 'help') return { name, operand, values };
  if (values.help) return { name: 'help', operand: name, values };
  if (name === undefined) throw new UsageError('Which command?');
  if (!isCommand(name)) throw unknownCommand(name);
  const other = Object.keys(values).find((option) => !takes(name, option));
  if (other) throw new UsageError(`--${other} does not belong to ${name}.`);
  if (more.length > 0 || (name === 'listen' && operand !== undefined))
    throw new UsageError(`"${more[0] ?? operand}" is too much.`);
  if (name === 'send' && operand === undefined) throw new UsageError('send needs the URL of a receiver.');
  if (name === 'verify' && operand === undefined) throw new UsageError('verify needs the file of a recorded request.');
  if (name === 'compare' && operand === undefined)
    throw new UsageError('compare needs the file or folder of recorded requests.');
  if (name === 'recover' && operand === undefined) throw new UsageError('recover needs a module that exports the kit.');
  if (name === 'export' && operand === undefined)
    throw new UsageError('export needs a module that exports the kit and its accounts.');
  return { name, operand, values };
};

/** The command that `help` explains; `undefined`: all. @throws UsageError @internal */
export const explainedCommand = ({ operand }: Command): CommandName | undefined => {
  if (operand === undefined || isCommand(operand)) return operand;
  if (operand === 'help') return undefined;
  throw unknownCommand(operand);
};

/** A whole number of an option. @throws UsageError @internal */
export const readInteger = (option: string, text: string, minimum: number, maximum: number): number => {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(`--${option} needs a whole number from ${minimum} to ${maximum}.`);
};
