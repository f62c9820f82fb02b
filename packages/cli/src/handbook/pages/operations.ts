import { jsonOf, type PlacedOperation, successOf, takesHeader } from '../document.ts';
import { fieldsOf } from '../fields.ts';
import { answerBlock, bearer, requestBlock } from '../http.ts';
import { code, paragraphs, table } from '../markdown.ts';
import type { Platform } from '../platform.ts';
import { fieldTable } from './field-table.ts';
import { type PageSource, places, type WritePage } from './page.ts';

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

export const operationTable = (operations: readonly PlacedOperation[], { texts }: PageSource): string =>
  table(
    [texts.t('head.operation'), texts.t('head.effect')],
    operations.map(({ method, path, summary }) => [code(`${method} ${path}`), texts.described(summary)]),
  );

/** A request that succeeds without an object that exists already, and its answer. */
export const sampleOf = (operation: PlacedOperation, { platform, texts }: PageSource): readonly string[] => {
  const body = jsonOf(operation.requestBody?.content)?.example;
  const answer = successOf(operation, platform.reader);
  if (body === undefined || !answer) return [];
  const keyed = takesHeader(operation, 'Idempotency-Key', platform.reader);
  return [
    requestBlock({
      method: operation.method,
      path: operation.path.replace('{organisationId}', '$ACCOUNT_ID'),
      host: new URL(platform.origin).host,
      headers: { ...bearer, ...(keyed ? { 'Idempotency-Key': '$IDEMPOTENCY_KEY' } : {}) },
      body,
    }),
    texts.t('answered'),
    answerBlock(answer.status, answer.example),
  ];
};

const isCreation = ({ method, path, operationId }: PlacedOperation): boolean =>
  method === 'POST' && operationId.startsWith('create') && /^[^{]*\{organisationId\}\/[^{/]+$/.test(path);

const inputOf = (operation: PlacedOperation, { platform, texts }: PageSource): readonly string[] => {
  const schema = jsonOf(operation.requestBody?.content)?.schema;
  const fields = schema ? fieldsOf(schema, platform.reader) : [];
  if (fields.length === 0) return [];
  return [
    texts.t('operations.input', { operation: `${operation.method} ${operation.path}` }),
    fieldTable(fields, { texts, isSent: true }),
  ];
};

/** The parameters of queries, each once. */
const queryParameters = (
  operations: readonly PlacedOperation[],
  { platform, texts }: PageSource,
): readonly (readonly string[])[] => {
  const found = new Map<string, string>();
  for (const { parameters = [] } of operations)
    for (const each of parameters) {
      const { in: place, name, description = '' } = platform.reader.parameter(each);
      if (place === 'query' && name !== undefined) found.set(name, description);
    }
  return [...found].map(([name, description]) => [code(name), texts.described(description)]);
};

/** Every operation beside those of the login and of the test environment. */
export const operationsPage: WritePage = (source) => {
  const { platform, texts } = source;
  const { t } = texts;
  const own = ownOperations(platform);
  if (own.length === 0) return undefined;
  const some = (header: string): boolean => own.some((each) => takesHeader(each, header, platform.reader));
  const parameters = queryParameters(own, source);
  const groups = [...new Set(own.map(tagOf))].flatMap((tag) => {
    const group = own.filter((each) => tagOf(each) === tag);
    return [
      `## ${texts.described(tag)}`,
      ...(group.some(({ operationId }) => operationId === 'createEndpoint') ? [t('operations.webhooks')] : []),
      operationTable(group, source),
      ...group
        .filter(isCreation)
        .flatMap((each) => [
          `### ${t('operations.example', { operation: `${each.method} ${each.path}` })}`,
          ...sampleOf(each, source),
        ]),
      ...group.filter(({ method }) => method !== 'GET' && method !== 'DELETE').flatMap((each) => inputOf(each, source)),
    ];
  });
  return paragraphs([
    t('operations.intro', { ...places, origin: platform.origin }),
    t('words'),
    ...(some('Idempotency-Key') ? [`## ${t('operations.repeat')}`, t('operations.repeat-text')] : []),
    ...(some('If-Match') ? [`## ${t('operations.versions')}`, t('operations.versions-text')] : []),
    ...(parameters.length > 0
      ? [
          `## ${t('operations.lists')}`,
          t('operations.lists-text'),
          table([t('head.parameter'), t('head.meaning')], parameters),
        ]
      : []),
    ...groups,
  ]);
};
