import { homedir } from 'node:os';
import { join } from 'node:path';
import { localCertificate } from './certificate.ts';
import { UsageError } from './cli-error.ts';
import { type Command, readInteger } from './command.ts';
import { type ListenOptions, listen } from './listen.ts';
import { createLocalDelivery, type DeliverLocally } from './local-delivery.ts';
import { localSecret } from './local-secret.ts';
import { createLocalSigner, type LocalSigner } from './local-signature.ts';
import { isLoopback } from './loopback.ts';
import type { Output } from './output.ts';
import { connectPlatform, type NewPullEndpoint } from './partner-platform.ts';
import { readProfile } from './profile-module.ts';
import { pull } from './pull.ts';
import { deliveryHeaderOf, onlyOne, receiverOf } from './read-options.ts';
import { createRecorder } from './recordings.ts';
import { readTime } from './recover.ts';
import { replay } from './replay.ts';
import { type Environment, readEndpoints, readSecrets, type Secrets } from './secrets.ts';
import type { Surroundings } from './surroundings.ts';

type Values = Command['values'];
type OptionName = keyof Values;

/** Where the webhooks come from. */
type Origin = 'requests' | 'platform' | 'recordings';

/** Options that belong to some origins only. */
const places: Readonly<Partial<Record<OptionName, readonly Origin[]>>> = {
  port: ['requests'],
  host: ['requests'],
  path: ['requests'],
  cert: ['requests'],
  'public-key': ['requests'],
  endpoint: ['requests', 'platform'],
  record: ['requests', 'platform'],
  api: ['platform'],
  account: ['platform'],
  events: ['platform'],
  'include-children': ['platform'],
  from: ['platform'],
  name: ['platform', 'recordings'],
  profile: ['platform', 'recordings'],
  url: ['platform', 'recordings'],
  replay: ['recordings'],
};

const conflicts: Readonly<Record<Origin, string>> = {
  requests: 'goes with --api or PARTNER_API: the address of a platform to ask for events.',
  platform: 'does not go with --api or PARTNER_API: the platform is asked for events.',
  recordings: 'does not go with --replay.',
};

const readOrigin = (values: Values, { PARTNER_API }: Environment): Origin => {
  const asksPlatform = (values.api ?? PARTNER_API ?? '') !== '';
  const origin = values.replay !== undefined ? 'recordings' : asksPlatform ? 'platform' : 'requests';
  const wrong = (Object.keys(values) as OptionName[]).find((name) => places[name]?.includes(origin) === false);
  if (wrong !== undefined) throw new UsageError(`--${wrong} ${conflicts[origin]}`);
  return origin;
};

const readUrl = (option: string, text: string): URL => {
  if (/^https?:/.test(text) && URL.canParse(text)) return new URL(text);
  throw new UsageError(`--${option} needs an http or https URL.`);
};

/** The receiver: on this machine, because a typing error should not send a partner's events to strangers. */
const readForwardTo = ({ 'forward-to': text, 'allow-remote': allowsRemote }: Values): URL | undefined => {
  if (text === undefined) return undefined;
  const url = readUrl('forward-to', text);
  if (allowsRemote || isLoopback(url)) return url;
  throw new UsageError(`--forward-to names another machine, ${url.hostname}. If that is meant, add --allow-remote.`);
};

const folderOf = (environment: Environment): string => join(environment['HOME'] ?? homedir(), '.partnerkit');

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

const receiveRequests = async (command: Command, { environment, interrupted }: Surroundings, output: Output) => {
  const { port = '3443', host = '127.0.0.1', path = '/webhooks', record, cert } = command.values;
  if (!path.startsWith('/')) throw new UsageError('--path begins with "/".');
  if (command.values.secret === undefined && !environment['WEBHOOK_SECRET'])
    throw new UsageError(
      'Which webhook secret? Set WEBHOOK_SECRET to that of the endpoint; or PARTNER_API, to ask a platform for events.',
    );
  const options: ListenOptions = {
    port: readInteger('port', port, 0, 65_535),
    host,
    path,
    forward: readForwardTo(command.values)?.href,
    record,
    receiver: receiverOf(command, environment),
    deliveryHeader: deliveryHeaderOf(command),
    certificate: await localCertificate(cert ?? folderOf(environment)),
  };
  const server = await listen(options, output);
  if (!loopback.has(host)) output.progress(`Every machine that reaches ${host} can send requests, and is answered.`);
  output.progress(`Waiting for webhooks at https://localhost:${server.port}${path}`);
  output.progress(`Certificate for the sender's option ca: ${options.certificate.certFile}`);
  await interrupted;
  await server.close();
  return 0;
};

/** How events are signed and go on. */
interface Local {
  readonly signer: LocalSigner;
  readonly deliver: DeliverLocally;
  /** Says where they go, and how they are signed. */
  announce(): void;
}

const createLocal = async (
  command: Command,
  { environment, signal }: { readonly environment: Environment; readonly signal: AbortSignal },
  output: Output,
): Promise<Local> => {
  const { secret, profile: module, name, url, record } = command.values;
  const forwardTo = readForwardTo(command.values);
  const isGiven = secret !== undefined || (environment['WEBHOOK_SECRET'] ?? '') !== '';
  const secrets: Secrets = isGiven ? readSecrets(secret, environment) : [localSecret(folderOf(environment))];
  // Without a module, the name is that of the profile at the platform alone.
  const profile = await readProfile({ profile: module, name: module === undefined ? undefined : name });
  const signer = createLocalSigner(profile, secrets, url ?? command.values['forward-to'] ?? '');
  const deliver = createLocalDelivery(
    {
      ...{ forwardTo, signer, signal, envelope: profile.envelope },
      ...{ deliveryHeader: deliveryHeaderOf(command), record: createRecorder(record, output) },
    },
    output,
  );
  const announce = (): void => {
    if (!forwardTo) return;
    output.progress(`Each event is posted to ${forwardTo.href}, signed with ${isGiven ? 'your' : 'this'} secret.`);
    if (!isGiven) output.progress(`WEBHOOK_SECRET=${secrets[0]}`);
  };
  return { signer, deliver, announce };
};

const needed = (value: string | undefined, question: string): string => {
  if (value !== undefined && value !== '') return value;
  throw new UsageError(question);
};

const readAddress = ({ api, account }: Values, environment: Environment) => {
  const { PARTNER_API = '', CLIENT_ID, CLIENT_SECRET, ORGANISATION_ID } = environment;
  const url = readUrl('api', api ?? PARTNER_API);
  if (url.protocol !== 'https:' && !isLoopback(url))
    throw new UsageError('--api needs an https URL, because the secret of the API key is sent there.');
  return {
    api: url.href.replace(/\/$/, ''),
    clientId: needed(CLIENT_ID, 'Which API key? Set CLIENT_ID and CLIENT_SECRET to its id and its secret.'),
    clientSecret: needed(CLIENT_SECRET, 'Which API key? Set CLIENT_SECRET to its secret.'),
    organisationId: needed(
      account ?? ORGANISATION_ID,
      'Which account? Set ORGANISATION_ID, or name it with --account.',
    ),
  };
};

/** The pull endpoint that is named, or what to create. */
const readEndpoint = (values: Values): string | NewPullEndpoint => {
  const { events, 'include-children': includeChildren = false, name, profile, from } = values;
  const endpoint = onlyOne(readEndpoints(values.endpoint));
  if (endpoint === undefined) {
    if (from !== undefined) throw new UsageError('--from needs --endpoint: a new endpoint has no earlier events.');
    const selected = events?.split(',').map((event) => event.trim());
    return { events: selected, includeChildren, profile: name };
  }
  const ofNew = events !== undefined ? 'events' : includeChildren ? 'include-children' : undefined;
  if (ofNew !== undefined)
    throw new UsageError(`--${ofNew} chooses for a new endpoint, and that of --endpoint has its own choice.`);
  if (name !== undefined && profile === undefined)
    throw new UsageError('--name needs --profile, the module with the profiles.');
  return endpoint;
};

const askPlatform = async (command: Command, surroundings: Surroundings, signal: AbortSignal, output: Output) => {
  const { environment, clock } = surroundings;
  const { from } = command.values;
  const address = readAddress(command.values, environment);
  const endpoint = readEndpoint(command.values);
  const since = from === undefined ? undefined : readTime('from', from);
  const { deliver, announce } = await createLocal(command, { environment, signal }, output);
  const onStart = (endpointId: string): void => {
    output.progress(`Waiting for events of the pull endpoint ${endpointId} at ${address.api}`);
    announce();
  };
  const platform = connectPlatform(address, { output, clock });
  await pull({ platform, endpoint, from: since, deliver, onStart, signal }, output);
  return 0;
};

const replayRecordings = async (command: Command, environment: Environment, signal: AbortSignal, output: Output) => {
  const { signer, deliver, announce } = await createLocal(command, { environment, signal }, output);
  announce();
  return replay({ path: command.values.replay ?? '', signer, deliver, signal }, output);
};

/** Receives webhooks on this machine: as a server, from a pull endpoint, or from recordings. */
export const runListen = async (command: Command, surroundings: Surroundings, output: Output): Promise<number> => {
  const { environment, interrupted } = surroundings;
  const origin = readOrigin(command.values, environment);
  if (origin === 'requests') return receiveRequests(command, surroundings, output);
  const stop = new AbortController();
  void interrupted.then(() => stop.abort());
  try {
    return origin === 'platform'
      ? await askPlatform(command, surroundings, stop.signal, output)
      : await replayRecordings(command, environment, stop.signal, output);
  } catch (cause) {
    if (stop.signal.aborted) return 0;
    throw cause;
  }
};
