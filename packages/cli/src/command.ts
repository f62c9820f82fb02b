import { parseArgs } from 'node:util';
import { CliError } from './cli-error.ts';

/** The text of `--help`. @internal */
export const usage = `Usage: npx @partnerkit/cli <command> [options]

  listen              receive webhooks over HTTPS: verify, deduplicate, print
    --port <n>          (default: 3443)
    --path <path>       (default: /webhooks)
    --forward <url>     post what is valid to your application
    --record <folder>   write each request to a file, for verify
    --cert <folder>     where the certificate is kept (default: ~/.partnerkit)
  send <url>          send a signed event to a receiver, as a platform does
    --event <pair>      such as RequestPayment.payed
    --data <file>       JSON of the object (default: an example)
    --document <file>   OpenAPI document of a platform with events of its own
    --standard          add the headers of Standard Webhooks
    --times <n>         send the same bytes several times (default: 1)
    --ca <file>         certificate to trust, such as ~/.partnerkit/cert.pem
  verify <file>       say why the signature of a recorded request is wrong
    --header <line>     a header of the request, when the file has only its body
  openapi [module]    write the OpenAPI document that a module exports by default
                      (without a module: that of the specification's API)
    --out <file>        (default: standard output)
    --title <text>      (default: Partner API)
    --server <url>
  migrate [options]   bring the database up to date, with @partnerkit/postgres

  --secret <secret>   webhook secret; twice during a rotation
                      (default: the variable WEBHOOK_SECRET)
  --api-key <line>    header of the API key, such as "X-Api-Key: abc"
  --json              write results as JSON, one object on a line
  --help

Exit codes: 0 done; 1 failed or refused; 2 a wrong command line.
`;

const options = {
  port: { type: 'string' },
  path: { type: 'string' },
  forward: { type: 'string' },
  record: { type: 'string' },
  cert: { type: 'string' },
  event: { type: 'string' },
  data: { type: 'string' },
  document: { type: 'string' },
  standard: { type: 'boolean' },
  times: { type: 'string' },
  ca: { type: 'string' },
  header: { type: 'string', multiple: true },
  out: { type: 'string' },
  title: { type: 'string' },
  server: { type: 'string' },
  secret: { type: 'string', multiple: true },
  'api-key': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type OptionName = keyof typeof options;

const shared: readonly OptionName[] = ['json', 'help'];
const optionsOf: Readonly<Record<string, readonly OptionName[]>> = {
  listen: ['port', 'path', 'forward', 'record', 'cert', 'secret', 'api-key', ...shared],
  send: ['event', 'data', 'document', 'standard', 'times', 'ca', 'secret', 'api-key', ...shared],
  verify: ['header', 'secret', ...shared],
  openapi: ['out', 'title', 'server', ...shared],
};

/** A wrong command line. @internal */
export class UsageError extends CliError {}

/** The values of the options. */
type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** A parsed command line. @internal */
export interface Command {
  readonly name: 'help' | 'listen' | 'send' | 'verify' | 'openapi';
  /** The operand; absent: none was given. */
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

/** Parses a command line. @throws UsageError that names the mistake. @internal */
export const parseCommand = (args: readonly string[]): Command => {
  const { values, positionals } = parse(args);
  const [name, operand, ...more] = positionals;
  if (values.help || name === 'help') return { name: 'help', operand: undefined, values };
  if (name === undefined) throw new UsageError('Which command?');
  const allowed = optionsOf[name];
  if (!allowed) throw new UsageError(`Unknown command "${name}".`);
  const other = Object.keys(values).find((option) => !allowed.includes(option as OptionName));
  if (other) throw new UsageError(`--${other} does not belong to ${name}.`);
  if (more.length > 0 || (name === 'listen' && operand !== undefined))
    throw new UsageError(`"${more[0] ?? operand}" is too much.`);
  if (name === 'send' && operand === undefined) throw new UsageError('send needs the URL of a receiver.');
  if (name === 'verify' && operand === undefined) throw new UsageError('verify needs the file of a recorded request.');
  return { name: name as Command['name'], operand, values };
};

/** A whole number of an option. @throws UsageError @internal */
export const readInteger = (option: string, text: string, maximum: number): number => {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= maximum) return value;
  throw new UsageError(`--${option} needs a whole number of at most ${maximum}.`);
};
