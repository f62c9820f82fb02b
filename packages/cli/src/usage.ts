/** An option of the table. */
interface OptionRow {
  readonly type: 'string' | 'boolean';
  /** Whether it may be given several times. */
  readonly multiple?: boolean;
  readonly short?: string;
  /** The placeholder of its value. */
  readonly value?: string;
  readonly about: string;
}

/** Each option: how it is parsed, and how `--help` shows it. */
export const options = {
  'forward-to': { type: 'string', value: '<url>', about: 'post events to your application' },
  'allow-remote': { type: 'boolean', about: 'let --forward-to name another machine' },
  port: { type: 'string', value: '<n>', about: '(default: 3443)' },
  host: { type: 'string', value: '<address>', about: 'where it listens (default: 127.0.0.1, this machine alone)' },
  path: { type: 'string', value: '<path>', about: '(default: /webhooks)' },
  record: { type: 'string', value: '<folder>', about: 'write requests to files, for verify and --replay' },
  replay: { type: 'string', value: '<path>', about: 'post recorded requests, of a file or folder, signed anew' },
  api: { type: 'string', value: '<url>', about: 'the partner API to ask for events (default: PARTNER_API)' },
  events: {
    type: 'string',
    value: '<list>',
    about: 'of a new endpoint, such as payed,RequestPayment.update (default: all)',
  },
  'include-children': { type: 'boolean', about: 'of a new endpoint: also the events of child accounts' },
  cert: { type: 'string', value: '<folder>', about: 'where the certificate is kept (default: ~/.partnerkit)' },
  event: { type: 'string', value: '<pair>', about: 'such as RequestPayment.payed' },
  data: { type: 'string', value: '<file>', about: 'JSON of the object (default: an example)' },
  document: { type: 'string', value: '<file>', about: 'OpenAPI document of a platform with events of its own' },
  standard: { type: 'boolean', about: 'add the headers of Standard Webhooks' },
  'public-key': {
    type: 'string',
    multiple: true,
    value: '<x>',
    about: 'key of a platform that signs with Ed25519; twice while it changes',
  },
  times: { type: 'string', value: '<n>', about: 'send the same bytes several times (default: 1)' },
  ca: { type: 'string', value: '<file>', about: 'certificate to trust, such as ~/.partnerkit/cert.pem' },
  header: {
    type: 'string',
    multiple: true,
    value: '<line>',
    about: 'a header of the request, when the file has only its body',
  },
  language: { type: 'string', value: '<list>', about: 'en, fr or both, such as en,fr (default: en)' },
  in: { type: 'string', value: '<file>', about: 'what export wrote' },
  'dry-run': { type: 'boolean', about: 'report everything, store nothing' },
  out: { type: 'string', value: '<file>', about: '(default: standard output)' },
  account: { type: 'string', value: '<id>', about: '(listen: default ORGANISATION_ID)' },
  endpoint: {
    type: 'string',
    multiple: true,
    value: '<id>',
    about: 'the endpoint; more of them for a receiver of several',
  },
  from: { type: 'string', value: '<time>', about: 'when the first event was published, such as 2027-01-15T08:00:00Z' },
  to: { type: 'string', value: '<time>', about: 'the end of the period (default: now)' },
  clear: { type: 'boolean', about: 'with webhook secrets and values of delivery headers in clear' },
  access: { type: 'boolean', about: 'only API keys and endpoints with age, last use and rights, without secrets' },
  title: { type: 'string', value: '<text>', about: '(default: Partner API)' },
  server: { type: 'string', value: '<url>', about: '' },
  profile: {
    type: 'string',
    value: '<module>',
    about: 'whose default export is a wire profile, or the option webhooks',
  },
  name: { type: 'string', value: '<name>', about: 'of the profile (default: that of endpoints without one)' },
  url: { type: 'string', value: '<url>', about: 'of the endpoint, if the signature covers it' },
  secret: {
    type: 'string',
    multiple: true,
    value: '<secret>',
    about: 'webhook secret; twice during a rotation (default: WEBHOOK_SECRET)',
  },
  'delivery-header': {
    type: 'string',
    value: '<line>',
    about: 'static header of the deliveries, such as "X-Api-Key: abc"',
  },
  json: { type: 'boolean', about: 'write results as JSON, one object on a line' },
  help: { type: 'boolean', short: 'h', about: '' },
} as const satisfies Readonly<Record<string, OptionRow>>;

type OptionName = keyof typeof options;

/** Options that several commands take. */
const shared: readonly OptionName[] = ['secret', 'delivery-header', 'json', 'help'];

export type CommandName =
  | 'listen'
  | 'send'
  | 'verify'
  | 'compare'
  | 'openapi'
  | 'handbook'
  | 'export'
  | 'audit'
  | 'health'
  | 'import'
  | 'recover';

interface CommandRow {
  /** Empty: the command takes none. */
  readonly operand: string;
  /** What an operand that is required names. */
  readonly needs?: string;
  readonly about: readonly string[];
  readonly options: readonly OptionName[];
}

const commands: Readonly<Record<CommandName, CommandRow>> = {
  listen: {
    operand: '',
    about: [
      'receive webhooks on this machine: over HTTPS, or of a pull endpoint',
      '(of the platform of PARTNER_API, by the key of CLIENT_ID and CLIENT_SECRET)',
    ],
    options: [
      ...(['forward-to', 'allow-remote', 'record', 'port', 'host', 'path', 'cert', 'public-key'] as const),
      ...(['api', 'account', 'endpoint', 'events', 'include-children', 'from'] as const),
      ...(['replay', 'profile', 'name', 'url'] as const),
      ...(['secret', 'delivery-header', 'json', 'help'] as const),
    ],
  },
  send: {
    operand: '<url>',
    needs: 'the URL of a receiver',
    about: ['send a signed event to a receiver, as a platform does'],
    options: [
      ...(['event', 'data', 'document', 'standard', 'endpoint', 'times', 'ca'] as const),
      ...(['secret', 'delivery-header', 'json', 'help'] as const),
    ],
  },
  verify: {
    operand: '<file>',
    needs: 'the file of a recorded request',
    about: ['say why the signature of a recorded request is wrong'],
    options: ['header', 'public-key', 'endpoint', 'secret', 'json', 'help'],
  },
  compare: {
    operand: '<file>',
    needs: 'the file or folder of recorded requests',
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
  handbook: {
    operand: '<module>',
    needs: 'a module that exports the kit',
    about: ['write the documentation for your partners as Markdown', '(the module exports kit, and may export routes)'],
    options: ['out', 'language', 'name', 'server', 'json', 'help'],
  },
  export: {
    operand: '<module>',
    needs: 'a module that exports the kit and its accounts',
    about: ['write clients, endpoints, events and deliveries as JSON lines', '(the module exports kit and accounts)'],
    options: ['out', 'clear', 'access', 'json', 'help'],
  },
  audit: {
    operand: '<module>',
    needs: 'a module that exports the kit',
    about: [
      'verify the audit trail; exit code 1 if something is wrong (--out writes it as JSON lines)',
      '(the module exports kit)',
    ],
    options: ['out', 'json', 'help'],
  },
  health: {
    operand: '<module>',
    needs: 'a module that exports the kit',
    about: ['say what waits and what fails, and what to do; exit code 1 if it is failing', '(the module exports kit)'],
    options: ['json', 'help'],
  },
  import: {
    operand: '<module>',
    needs: 'a module that exports the kit',
    about: ['store the clients, endpoints and addresses of an export', '(the module exports kit)'],
    options: ['in', 'dry-run', 'json', 'help'],
  },
  recover: {
    operand: '<module>',
    needs: 'a module that exports the kit',
    about: ['send what failed to an endpoint again, and nothing else', '(the module exports kit)'],
    options: ['account', 'endpoint', 'from', 'to', 'json', 'help'],
  },
};

/** The names of all commands. */
export const commandNames: readonly string[] = [...Object.keys(commands), 'migrate', 'help'];

export const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

export const operandOf = (command: CommandName): Pick<CommandRow, 'operand' | 'needs'> => commands[command];

export const takes = (command: CommandName, option: string): boolean =>
  (commands[command].options as readonly string[]).includes(option);

const line = (indent: string, left: string, right: string): string => `${(indent + left).padEnd(27)}${right}`.trimEnd();
const optionLine = (indent: string) => (name: OptionName) => {
  const { value, about }: OptionRow = options[name];
  return line(indent, `--${name}${value === undefined ? '' : ` ${value}`}`, about);
};
const exitCodes = 'Exit codes: 0 done; 1 failed or refused; 2 a wrong command line.';

/** The text of `--help`: of one command, or of all. */
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
