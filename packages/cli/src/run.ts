import { audit } from './audit.ts';
import { isCliError, UsageError } from './cli-error.ts';
import { type Command, explainedCommand, parseCommand, readInteger } from './command.ts';
import { compare } from './compare.ts';
import { readExamples } from './document.ts';
import { exportLines } from './export.ts';
import { readJson } from './files.ts';
import { handbook, readLanguages } from './handbook.ts';
import { health } from './health.ts';
import { importLines } from './import.ts';
import { migrate } from './migrate.ts';
import { createOutput, type Output } from './output.ts';
import { deliveryHeaderOf, onlyOne, receiverOf } from './read-options.ts';
import { readTime, recover } from './recover.ts';
import { runListen } from './run-listen.ts';
import { readEndpoints, readSecrets } from './secrets.ts';
import { send } from './send.ts';
import type { Surroundings } from './surroundings.ts';
import { usage } from './usage.ts';
import { verify } from './verify.ts';
import { writeDocument } from './write-document.ts';

const runSend = (command: Command, { environment }: Surroundings, output: Output): Promise<number> => {
  const { event, data, document, standard, endpoint, times = '1', ca, secret } = command.values;
  if (event === undefined) throw new UsageError('send needs --event, such as RequestPayment.payed.');
  const [first] = readSecrets(secret, environment);
  return send(
    {
      url: command.operand ?? '',
      event,
      data: data === undefined ? undefined : readJson(data),
      secret: first,
      standardWebhooks: standard ?? false,
      endpoint: onlyOne(readEndpoints(endpoint)),
      deliveryHeader: deliveryHeaderOf(command),
      ca,
      times: readInteger('times', times, 1, 1_000),
    },
    readExamples(document),
    output,
  );
};

const runRecover = ({ operand, values }: Command, output: Output): Promise<number> => {
  const { account, from, to } = values;
  const endpoint = onlyOne(values.endpoint ?? []);
  for (const [name, value] of Object.entries({ account, endpoint, from }))
    if (value === undefined) throw new UsageError(`recover needs --${name}.`);
  return recover(
    {
      module: operand ?? '',
      account: account ?? '',
      endpoint: endpoint ?? '',
      from: readTime('from', from ?? ''),
      to: to === undefined ? Date.now() : readTime('to', to),
    },
    output,
  );
};

const runHandbook = ({ operand, values }: Command, output: Output): Promise<number> => {
  const { out, language = 'en', name, server } = values;
  if (out === undefined) throw new UsageError('handbook needs --out, the folder of the pages.');
  if (server !== undefined && !(/^https?:/.test(server) && URL.canParse(server)))
    throw new UsageError('--server needs an http or https URL.');
  return handbook({ module: operand ?? '', out, languages: readLanguages(language), name, server }, output);
};

const execute = async (command: Command, surroundings: Surroundings, output: Output): Promise<number> => {
  const { operand, values } = command;
  const print = (text: string): void => void surroundings.stdout.write(text);
  switch (command.name) {
    case 'help':
      print(usage(explainedCommand(command)));
      return 0;
    case 'listen':
      return runListen(command, surroundings, output);
    case 'send':
      return runSend(command, surroundings, output);
    case 'verify':
      return verify(
        {
          file: operand ?? '',
          headers: values.header ?? [],
          receiver: receiverOf(command, surroundings.environment),
        },
        output,
      );
    case 'compare':
      return compare(
        {
          file: operand ?? '',
          profile: values.profile,
          name: values.name,
          url: values.url ?? '',
          secrets: readSecrets(values.secret, surroundings.environment),
        },
        output,
      );
    case 'openapi': {
      const { out, title = 'Partner API', server } = values;
      return writeDocument({ module: operand, out, title, server }, output, print);
    }
    case 'handbook':
      return runHandbook(command, output);
    case 'audit':
      return audit(operand ?? '', values.out, output);
    case 'health':
      return health(operand ?? '', output);
    case 'import':
      if (values.in === undefined) throw new UsageError('import needs --in, the file that export wrote.');
      return importLines({ module: operand ?? '', file: values.in, dryRun: values['dry-run'] ?? false }, output);
    case 'recover':
      return runRecover(command, output);
    case 'export':
      if (values.clear && values.access)
        throw new UsageError('export takes --clear or --access: an access review has no secrets.');
      return exportLines(
        { module: operand ?? '', clear: values.clear ?? false, access: values.access ?? false, out: values.out },
        output,
        print,
      );
  }
};

/** Runs a command line; resolves to its exit code. */
export const run = async (args: readonly string[], surroundings: Surroundings): Promise<number> => {
  const isJson = args.includes('--json');
  const output = createOutput(isJson, surroundings.stdout, surroundings.stderr);
  try {
    // Its options are those of the package that does it.
    if (args[0] === 'migrate')
      return await migrate(args.slice(1), { ...surroundings, print: (text) => void surroundings.stdout.write(text) });
    return await execute(parseCommand(args), surroundings, output);
  } catch (cause) {
    if (!isCliError(cause)) throw cause;
    output.progress(cause.message);
    if (isJson) output.result([], { error: cause.message });
    if (cause.exitCode === 2) output.progress('Try npx @partnerkit/cli --help.');
    return cause.exitCode;
  }
};
