import {
  type DocumentReader,
  jsonOf,
  type PlacedOperation,
  rightOf,
  type Schema,
  successOf,
  takesHeader,
} from '../document.ts';
import { type Field, fieldsOf } from '../fields.ts';
import { answerBlock, bearer, requestBlock } from '../http.ts';
import { code, paragraphs, table } from '../markdown.ts';
import type { Platform } from '../platform.ts';
import { fieldTable } from './field-table.ts';
import { type PageSource, places, type WritePage } from './page.ts';
import { queryOf, queryRows } from './query-table.ts';
import { createValueTables, type ValueTables } from './value-tables.ts';

/** The tag of what a test environment alone has. */
export const simulationTag = 'Simulation';

/** The groups that have pages of their own. */
const elsewhere = ['Login', 'Account', simulationTag];

/** What sends a test event: the page of the test environment shows it. */
export const testEventId = 'sendTestWebhook';

export const tagOf = ({ tags }: PlacedOperation): string => tags[0] ?? '';

/** The operations of the page. */
export const ownOperations = ({ operations }: Platform): readonly PlacedOperation[] =>
  operations.filter((each) => !elsewhere.includes(tagOf(each)) && each.operationId !== testEventId);

/** Operations with the right that each needs, the headers that it takes, and the status of its success. */
export const operationTable = (
  operations: readonly PlacedOperation[],
  { texts: { t, described }, platform: { reader } }: PageSource,
): string =>
  table(
    [t('head.operation'), t('head.effect'), t('head.right'), t('head.takes'), t('head.status')],
    operations.map((operation) => {
      const right = rightOf(operation);
      const headers = ['Idempotency-Key', 'If-Match'].filter((name) => takesHeader(operation, name, reader));
      return [
        code(`${operation.method} ${operation.path}`),
        described(operation.summary),
        right === undefined ? '' : code(right),
        operation.method === 'GET' ? '' : headers.map(code).join(', '),
        String(successOf(operation, reader)?.status ?? ''),
      ];
    }),
  );

/** The path behind that of the account. */
const tailOf = ({ path }: PlacedOperation): string => path.replace(/^.*\{organisationId\}/, '…');
const nameOf = (operation: PlacedOperation): string => code(`${operation.method} ${tailOf(operation)}`);

/** The headers of an answer that names a new object and its version. */
const headersOf = (
  operation: PlacedOperation,
  { headers, example, isVersioned }: { headers: readonly string[]; example: unknown; isVersioned: boolean },
) => {
  const { id } = Object(example) as { readonly id?: unknown };
  const path = operation.path.replace('{organisationId}', '$ACCOUNT_ID');
  return {
    ...(headers.includes('location') && id !== undefined ? { Location: `${path}/${id}` } : {}),
    // The version of a host's own object is no number.
    ...(headers.includes('etag') ? { ETag: isVersioned ? '"1"' : '"…"' } : {}),
  };
};

/** An example of a new webhook with the fields that were sent for it. */
const withSent = (example: unknown, body: unknown): unknown => {
  const { endpoint } = Object(example) as { readonly endpoint?: object };
  if (endpoint === undefined) return example;
  const sent = Object.entries(Object(body)).filter(([name]) => Object.hasOwn(endpoint, name));
  return { ...Object(example), endpoint: { ...endpoint, ...Object.fromEntries(sent) } };
};

/** A request that succeeds without an object that exists already, and its answer. */
export const sampleOf = (operation: PlacedOperation, { platform, texts }: PageSource): readonly string[] => {
  const body = jsonOf(operation.requestBody?.content)?.example;
  const answer = successOf(operation, platform.reader);
  if (body === undefined || !answer) return [];
  const keyed = takesHeader(operation, 'Idempotency-Key', platform.reader);
  const { status, headers } = answer;
  const example = withSent(answer.example, body);
  const isVersioned = platform.operations.some(
    (each) =>
      each.method === 'PATCH' &&
      each.path.startsWith(`${operation.path}/`) &&
      takesHeader(each, 'If-Match', platform.reader),
  );
  return [
    requestBlock({
      method: operation.method,
      path: operation.path.replace('{organisationId}', '$ACCOUNT_ID'),
      host: new URL(platform.origin).host,
      headers: { ...bearer, ...(keyed ? { 'Idempotency-Key': '$IDEMPOTENCY_KEY' } : {}) },
      body,
    }),
    texts.t('answered'),
    answerBlock(status, example, { headers: headersOf(operation, { headers, example, isVersioned }) }),
  ];
};

const isCreation = ({ method, path, operationId }: PlacedOperation): boolean =>
  method === 'POST' && operationId.startsWith('create') && /^[^{]*\{organisationId\}\/[^{/]+$/.test(path);

/** Operations with the fields of something of theirs. Those with the same fields are together. */
const byFields = (
  operations: readonly PlacedOperation[],
  fieldsIn: (operation: PlacedOperation) => readonly Field[],
): readonly { readonly names: string; readonly fields: readonly Field[] }[] => {
  const found = new Map<string, { readonly names: string[]; readonly fields: readonly Field[] }>();
  for (const operation of operations) {
    const fields = fieldsIn(operation);
    const key = JSON.stringify(fields);
    if (fields.length === 0) continue;
    const known = found.get(key);
    if (known) known.names.push(nameOf(operation));
    else found.set(key, { names: [nameOf(operation)], fields });
  }
  return [...found.values()].map(({ names, fields }) => ({ names: names.join(', '), fields }));
};

/** The bodies of operations. */
export const inputsOf = (
  operations: readonly PlacedOperation[],
  { platform, texts }: PageSource,
  values: ValueTables,
): readonly string[] =>
  byFields(operations, ({ requestBody }) => {
    const schema = jsonOf(requestBody?.content)?.schema;
    return schema ? fieldsOf(schema, platform.reader) : [];
  }).flatMap(({ names, fields }) => [
    texts.t('operations.input', { operations: names }),
    fieldTable(fields, { texts, isSent: true, values }),
  ]);

/** Answers of this form have only `items`, and perhaps `next`. */
const pageFields: readonly string[] = ['items', 'next'];

/** The schema of an object in an answer: of a list, that of an item. */
const answeredOf = (operation: PlacedOperation, reader: DocumentReader): Schema | undefined => {
  const given = successOf(operation, reader)?.schema;
  const { properties = {} } = given ? reader.schema(given) : {};
  const isPage = 'items' in properties && Object.keys(properties).every((name) => pageFields.includes(name));
  return (isPage && properties['items']?.items) || given;
};

interface Known {
  readonly name: string;
  readonly paths: ReadonlySet<string>;
}

/** The fields of an answer, and the objects of webhooks that are fields of it: their own fields are on another page. */
const shortened = (fields: readonly Field[], known: readonly Known[]) => {
  const within = new Map<string, string>();
  for (const { path } of fields) {
    const below = fields.flatMap((each) =>
      each.path.startsWith(`${path}.`) ? [each.path.slice(path.length + 1)] : [],
    );
    const object = below.includes('id') && known.find(({ paths }) => below.every((each) => paths.has(each)));
    if (object) within.set(path, object.name);
  }
  const isWithin = ({ path }: Field): boolean => [...within.keys()].some((each) => path.startsWith(`${each}.`));
  return { fields: fields.filter((each) => !isWithin(each)), within };
};

/** What operations answer: an object of the webhooks, or fields of its own. */
const answersOf = (
  operations: readonly PlacedOperation[],
  { platform, texts }: PageSource,
  values: ValueTables,
): readonly string[] => {
  const { reader, objects } = platform;
  const { t } = texts;
  const known = objects.map(({ name, events }) => {
    const fields = events.flatMap(({ data }) => (data ? fieldsOf(data, reader) : []));
    return { name, paths: new Set(fields.map(({ path }) => path)) };
  });
  const answers = byFields(operations, (operation) => {
    const schema = answeredOf(operation, reader);
    return schema ? fieldsOf(schema, reader) : [];
  });
  // An object of one answer may be part of another.
  const answered = answers
    .filter(({ fields }) => fields.some(({ path }) => path === 'id'))
    .map(({ names, fields }) => ({ name: names.split(', ')[0] ?? '', paths: new Set(fields.map(({ path }) => path)) }));
  return answers.flatMap(({ names, fields: all }) => {
    const same = known.find(({ paths }) => all.every(({ path }) => paths.has(path)));
    if (same) return [t('operations.answers', { operations: names, object: same.name, place: placeOf(same.name) })];
    const { fields, within } = shortened(all, [...known, ...answered]);
    const note = ({ path }: Field): string | undefined => {
      const object = within.get(path);
      if (object === undefined) return undefined;
      return known.some(({ name }) => name === object)
        ? t('operations.within', { object, place: placeOf(object) })
        : t('operations.within-answer', { operations: object });
    };
    return [t('operations.output', { operations: names }), fieldTable(fields, { texts, isSent: false, values }, note)];
  });
};
const placeOf = (object: string): string => `${places.objects}#${object.toLowerCase()}`;

/** What the document says of operations, beside their summaries. */
const rulesOf = (operations: readonly PlacedOperation[], { texts }: PageSource): string =>
  operations
    .filter(({ description = '' }) => description !== '')
    .map((each) => {
      const meaning = texts.described(each.description ?? '');
      return `- ${texts.t('values.sentence', { value: nameOf(each), meaning })}`;
    })
    .join('\n');

/** Which parameters each list takes. */
const takenBy = (operations: readonly PlacedOperation[], source: PageSource): string =>
  operations
    .map((each) => ({
      operation: nameOf(each),
      names: queryOf(each, source.platform.reader).map(({ name = '' }) => code(name)),
    }))
    .filter(({ names }) => names.length > 0)
    .map(({ operation, names }) => source.texts.t('operations.takes', { operation, parameters: names.join(', ') }))
    .join('\n');

/** Headers that operations take or answer with. */
const conventionsOf = (own: readonly PlacedOperation[], { platform, texts }: PageSource): readonly string[] => {
  const { t } = texts;
  const { reader } = platform;
  const takes = (header: string) => (each: PlacedOperation) => takesHeader(each, header, reader);
  const posts = own.filter(({ method }) => method === 'POST');
  const keyed = posts.filter(takes('Idempotency-Key'));
  const isLocated = own.some((each) => successOf(each, reader)?.headers.includes('location'));
  const isVersioned = own.some((each) => each.method !== 'GET' && takes('If-Match')(each));
  const isCached = own.some((each) => each.method === 'GET' && takes('If-None-Match')(each));
  const isFoundByReference = own.some((each) => queryOf(each, reader).some(({ name }) => name === 'reference'));
  const hasHistory = own.some(({ path }) => path.endsWith('/{id}/events'));
  return [
    ...(isLocated ? [t('operations.created')] : []),
    ...(posts.length > 0 ? [`## ${t('operations.repeat')}`] : []),
    ...(keyed.length > 0 ? [t('operations.repeat-text')] : []),
    ...(keyed.length > 0 ? [t(isFoundByReference ? 'operations.repeat-late' : 'operations.repeat-late-read')] : []),
    ...(keyed.length < posts.length ? [t('operations.no-repeat')] : []),
    ...(isVersioned || isCached ? [`## ${t('operations.versions')}`] : []),
    ...(isVersioned ? [t('operations.versions-text')] : []),
    ...(hasHistory ? [t('operations.versions-commands')] : []),
    ...(isCached ? [t('operations.cached')] : []),
  ];
};

/** Every operation beside those of the login and of the test environment. */
export const operationsPage: WritePage = (source) => {
  const { platform, texts } = source;
  const { t } = texts;
  const own = ownOperations(platform);
  if (own.length === 0) return undefined;
  const parameters = queryRows(own, source);
  const values = createValueTables(texts);
  const groups = [...new Set(own.map(tagOf))].flatMap((tag) => {
    const group = own.filter((each) => tagOf(each) === tag);
    return [
      `## ${texts.described(tag)}`,
      ...(group.some(({ operationId }) => operationId === 'createEndpoint') ? [t('operations.webhooks', places)] : []),
      operationTable(group, source),
      rulesOf(group, source),
      takenBy(group, source),
      ...group
        .filter(isCreation)
        .flatMap((each) => [
          `### ${t('operations.example', { operation: `${each.method} ${each.path}` })}`,
          ...sampleOf(each, source),
        ]),
      ...inputsOf(group, source, values),
    ];
  });
  const answers = answersOf(own, source, values);
  const pulls = own.some(({ operationId }) => operationId === 'pullEvents');
  return paragraphs([
    t('operations.intro', { ...places, origin: platform.origin }),
    t('words'),
    ...conventionsOf(own, source),
    ...(parameters.length > 0
      ? [
          `## ${t('operations.lists')}`,
          t('operations.lists-text'),
          ...(pulls ? [t('operations.lists-pull', places)] : []),
          table([t('head.parameter'), t('head.values'), t('head.default'), t('head.meaning')], parameters),
        ]
      : []),
    ...groups,
    ...(answers.length > 0 ? [`## ${t('operations.outputs')}`, t('operations.outputs-text'), ...answers] : []),
    ...values.sections(),
  ]);
};
