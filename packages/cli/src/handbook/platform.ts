import type { OpenApiDocument, OpenApiOptions, Route } from '@partnerkit/core';
import { type PartnerSettings, partnerSettingsOf } from '@partnerkit/core/adapter';
import { CliError } from '../cli-error.ts';
import {
  type DocumentReader,
  endingOf,
  type HandbookDocument,
  jsonOf,
  type PlacedOperation,
  readerOf,
  type Schema,
  successOf,
} from './document.ts';

/** What is used of a kit. */
export interface HandbookKit {
  readonly routes: readonly Route[];
  openApi(options: OpenApiOptions): OpenApiDocument;
}

/** An event type of an object. */
export interface EventType {
  readonly name: string;
  readonly description: string | undefined;
  /** What the document says of its end. `undefined`: it does not end. */
  readonly ending: string | undefined;
  /** What it sends of the object. `undefined`: the envelope is the platform's own. */
  readonly data: Schema | undefined;
  /** The body of an example. */
  readonly example: Readonly<Record<string, unknown>> | undefined;
}

/** An object of which events are sent. */
export interface PlatformObject {
  readonly name: string;
  readonly events: readonly EventType[];
}

/** What the pages say of a platform. */
export interface Platform {
  readonly name: string;
  /** Scheme and host of the partner API. */
  readonly origin: string;
  readonly settings: PartnerSettings;
  readonly reader: DocumentReader;
  readonly operations: readonly PlacedOperation[];
  readonly objects: readonly PlatformObject[];
  /** The form of webhook bodies. */
  readonly envelope: 'specification' | 'standard-webhooks' | 'other';
  /** Finds an operation by its id. */
  operation(operationId: string): PlacedOperation | undefined;
}

/** The examples of what operations create. */
const createdExamples = (reader: DocumentReader): readonly Readonly<Record<string, unknown>>[] =>
  reader.operations.flatMap((operation) => {
    const example = operation.operationId.startsWith('create') ? successOf(operation, reader)?.example : undefined;
    return typeof example === 'object' && example !== null ? [example as Readonly<Record<string, unknown>>] : [];
  });

/** A sample with the values of the same object as the API returns it, where there is one: they read better. */
const withCreated = (
  example: EventType['example'],
  created: readonly Readonly<Record<string, unknown>>[],
): EventType['example'] => {
  const { data } = Object(example) as { readonly data?: unknown };
  const sample = Object(data) as Readonly<Record<string, unknown>>;
  const fits = (each: Readonly<Record<string, unknown>>): boolean =>
    Object.keys(each).length > 2 && Object.keys(each).every((name) => Object.hasOwn(sample, name));
  const [best] = created.filter(fits).toSorted((one, other) => Object.keys(other).length - Object.keys(one).length);
  return example && best ? { ...example, data: best } : example;
};

const objectsOf = ({ webhooks = {} }: HandbookDocument, reader: DocumentReader): readonly PlatformObject[] => {
  const created = createdExamples(reader);
  const objects = new Map<string, EventType[]>();
  for (const [pair, { post }] of Object.entries(webhooks)) {
    const [objectName = '', type = ''] = pair.split('.');
    const json = jsonOf(post.requestBody?.content);
    const data = json?.schema?.properties?.['data'];
    const sample = json?.example as EventType['example'];
    // What became of an object later, its creation does not show.
    const example = type === 'creation' ? withCreated(sample, created) : sample;
    const description = post.summary === pair ? undefined : post.summary;
    const event = { name: type, description, ending: endingOf(post), data, example };
    objects.set(objectName, [...(objects.get(objectName) ?? []), event]);
  }
  return [...objects].map(([name, events]) => ({ name, events }));
};

const envelopeOf = ({ webhooks = {} }: HandbookDocument): Platform['envelope'] => {
  const [first] = Object.values(webhooks);
  const fields = jsonOf(first?.post.requestBody?.content)?.schema?.properties ?? {};
  if ('objectName' in fields) return 'specification';
  return 'data' in fields ? 'standard-webhooks' : 'other';
};

const originOf = (server: string | undefined, settings: PartnerSettings): string => {
  const origin = server ?? settings.origin;
  if (origin !== undefined && URL.canParse(origin)) return origin.replace(/\/$/, '');
  throw new CliError('The kit has no origin. Name the address of the API with --server https://api.platform.example.');
};

/** Reads what the pages say from a kit and its routes. @throws CliError */
export const readPlatform = (
  kit: HandbookKit,
  { routes, name, server }: { readonly routes: readonly Route[]; readonly name?: string; readonly server?: string },
): Platform => {
  const settings = partnerSettingsOf(kit);
  if (!settings) throw new CliError('The kit is older than this command: use both in one version.');
  const origin = originOf(server, settings);
  const described = kit.openApi({ title: name ?? 'Partner API', servers: [{ url: origin }], routes });
  // The kit writes each member that the pages read.
  const document = described as unknown as HandbookDocument;
  const reader = readerOf(document);
  return {
    name: name ?? new URL(origin).hostname,
    ...{ origin, settings, reader },
    operations: reader.operations,
    objects: objectsOf(document, reader),
    envelope: envelopeOf(document),
    operation: (operationId) => reader.operations.find((each) => each.operationId === operationId),
  };
};
