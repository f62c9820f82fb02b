/** Each option, as `--help` shows it. */
const options = {
  port: ['--port <n>', '(default: 3443)'],
  host: ['--host <address>', 'where it listens (default: 127.0.0.1, this machine alone)'],
  path: ['--path <path>', '(default: /webhooks)'],
  forward: ['--forward <url>', 'post what is valid to your application'],
  record: ['--record <folder>', 'write requests to files, for verify'],
  cert: ['--cert <folder>', 'where the certificate is kept (default: ~/.partnerkit)'],
  event: ['--event <pair>', 'such as RequestPayment.payed'],
  data: ['--data <file>', 'JSON of the object (default: an example)'],
  document: ['--document <file>', 'OpenAPI document of a platform with events of its own'],
  standard: ['--standard', 'add the headers of Standard Webhooks'],
  'public-key': ['--public-key <x>', 'key of a platform that signs with Ed25519; twice while it changes'],
  times: ['--times <n>', 'send the same bytes several times (default: 1)'],
  ca: ['--ca <file>', 'certificate to trust, such as ~/.partnerkit/cert.pem'],
  header: ['--header <line>', 'a header of the request, when the file has only its body'],
  out: ['--out <file>', '(default: standard output)'],
  account: ['--account <id>', ''],
  endpoint: ['--endpoint <id>', 'the endpoint; more of them for a receiver of several'],
  from: ['--from <time>', 'when the first event was published, such as 2027-01-15T08:00:00Z'],
  to: ['--to <time>', 'the end of the period (default: now)'],
  clear: ['--clear', 'with webhook secrets and values of delivery headers in clear'],
  title: ['--title <text>', '(default: Partner API)'],
  server: ['--server <url>', ''],
  profile: ['--profile <module>', 'whose default export is the option webhooks of your kit'],
  name: ['--name <profile>', 'one of its profiles (default: that of endpoints without one)'],
  url: ['--url <url>', 'of the endpoint, if the signature covers it'],
  secret: ['--secret <secret>', 'webhook secret; twice during a rotation (default: WEBHOOK_SECRET)'],
  'delivery-header': ['--delivery-header <line>', 'static header of the deliveries, such as "X-Api-Key: abc"'],
  json: ['--json', 'write results as JSON, one object on a line'],
  help: ['--help', ''],
} as const;

/** @internal */
export type OptionName = keyof typeof options;

/** Options that several commands take. */
const shared: readonly OptionName[] = ['secret', 'delivery-header', 'json', 'help'];

/** @internal */
export type CommandName = 'listen' | 'send' | 'verify' | 'compare' | 'openapi' | 'export' | 'recover';

const commands: Readonly<
  Record<
    CommandName,
    { readonly operand: string; readonly about: readonly string[]; readonly options: readonly OptionName[] }
  >
> = {
  listen: {
    operand: '',
    about: ['receive webhooks over HTTPS: verify, deduplicate, print'],
    options: [
      ...(['port', 'host', 'path', 'forward', 'record', 'cert', 'public-key', 'endpoint'] as const),
      ...(['secret', 'delivery-header', 'json', 'help'] as const),
    ],
  },
  send: {
    operand: '<url>',
    about: ['send a signed event to a receiver, as a platform does'],
    options: [
      ...(['event', 'data', 'document', 'standard', 'endpoint', 'times', 'ca'] as const),
      ...(['secret', 'delivery-header', 'json', 'help'] as const),
    ],
  },
  verify: {
    operand: '<file>',
    about: ['say why the signature of a recorded request is wrong'],
    options: ['header', 'public-key', 'endpoint', 'secret', 'json', 'help'],
  },
  compare: {
    operand: '<file>',
    about: ['say what partnerkit would send in place of recorded requests'],
    options: ['profile', 'name', 'url', 'secret', 'json', 'help'],
  },
  openapi: {
    operand: '[module]',
    about: [
      'write the OpenAPI document that a module exports by default',
      "(without a module: that of the specification's API)",
    ],
    options: ['out', 'title', 'server', 'json', 'help'],
  },
  export: {
    operand: '<module>',
    about: ['write clients, endpoints, events and deliveries as JSON lines', '(the module exports kit and accounts)'],
    options: ['out', 'clear', 'json', 'help'],
  },
  recover: {
    operand: '<module>',
    about: ['send what failed to an endpoint again, and nothing else', '(the module exports kit)'],
    options: ['account', 'endpoint', 'from', 'to', 'json', 'help'],
  },
};

/** The names of all commands. @internal */
export const commandNames: readonly string[] = [...Object.keys(commands), 'migrate', 'help'];

/** @internal */
export const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

/** @internal */
export const takes = (command: CommandName, option: string): boolean =>
  (commands[command].options as readonly string[]).includes(option);

const line = (indent: string, left: string, right: string): string => `${(indent + left).padEnd(22)}${right}`.trimEnd();
const optionLine = (indent: string) => (name: OptionName) => line(indent, options[name][0], options[name][1]);
const exitCodes = 'Exit codes: 0 done; 1 failed or refused; 2 a wrong command line.';

/** The text of `--help`: of one command, or of all. @internal */
export const usage = (command: CommandName | undefined): string => {
  if (command !== undefined) {
    const { operand, about, options: own } = commands[command];
    const synopsis = `Usage: npx @partnerkit/cli ${command}${operand && ` ${operand}`} [options]`;
    return [synopsis, '', ...about, '', ...own.map(optionLine('  ')), '', exitCodes, ''].join('\n');
  }
  const sections = Object.entries(commands).flatMap(([name, { operand, about, options: own }]) => [
    ...about.map((text, place) => line('  ', place === 0 ? `${name} ${operand}`.trimEnd() : '', text)),
    ...own.filter((option) => !shared.includes(option)).map(optionLine('    ')),
  ]);
  return [
    'Usage: npx @partnerkit/cli <command> [options]',
    '',
    ...sections,
    line('  ', 'migrate [options]', 'bring the database of DATABASE_URL up to date: PostgreSQL, MariaDB, or'),
    line('', '', 'sqlite:<file>, with the package that is installed here'),
    '',
    ...shared.map(optionLine('  ')),
    '',
    exitCodes,
    '',
  ].join('\n');
};
