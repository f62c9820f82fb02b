import { z } from 'zod';
import { documentation } from '#documentation';
import type { AccountCaller } from '../../api/management/shared-operations.ts';
import { type JsonSchema, writeInput } from '../../api/operations/json-schema.ts';
import type { Operation } from '../../api/operations/operation.ts';
import { listSchema } from '../../api/operations/page-schema.ts';
import type { CommandRule } from '../kinds/define-kind.ts';
import type { StoredRequest } from '../record/record.ts';
import { pathOfCommand } from './command-operation.ts';
import { bodyIn, findIn, maxBodyBytes, type Place, pathsOf } from './place.ts';
import { read } from './read-operations.ts';
import { descriptionOf, tagOf, withArticle } from './words.ts';

const view = z
  .object({
    command: z.string(),
    method: z.enum(['POST', 'PATCH', 'DELETE']),
    path: z.string().register(documentation, { description: 'Below the path of the object; empty: that path.' }),
    isSimulated: z.boolean().register(documentation, {
      description: 'A command of the platform, which partners may give in a test environment.',
    }),
    description: z.string(),
    input: z.looseObject({}).register(documentation, { description: 'The JSON Schema (2020-12) of its body.' }),
  })
  .register(documentation, {
    name: 'PossibleCommand',
    description: 'A command that the state of an object allows.',
    example: {
      ...{
        command: 'cancel',
        method: 'POST',
        path: '/cancel',
        isSimulated: false,
        description: 'Cancels the request.',
      },
      input: { type: 'object', properties: { reason: { type: 'object' } } },
    },
  });

/** Writes the schemas of inputs, each once. */
const inputSchemas = () => {
  const written = new Map<string, JsonSchema>();
  return (place: Place<object>, command: string): JsonSchema => {
    const schema = written.get(command) ?? writeInput(bodyIn(place, command));
    written.set(command, schema);
    return schema;
  };
};

/** The fields that a state lets a command change, of those that its schema has. */
const onlyIn = (schema: JsonSchema, { only = {} }: CommandRule, { status }: StoredRequest): JsonSchema => {
  const paths = only[status];
  if (!paths) return schema;
  const names = new Set(paths.map((path) => path.split('.')[0]));
  const properties = Object.entries(schema['properties'] ?? {}).filter(([name]) => names.has(name));
  return { ...schema, properties: Object.fromEntries(properties) };
};

/** A command as the view has it. */
const viewOf = (
  { command, method, path }: { readonly command: string; readonly method: string; readonly path: string },
  rule: CommandRule,
  input: JsonSchema,
) => ({
  command,
  method,
  path,
  isSimulated: rule.by === 'host',
  description: descriptionOf(rule),
  input,
});

/**
 * The operation that lists the commands which the state of an object allows, those that create a part of it included.
 * @param parts - The places below the object, such as that of the cash-outs of a deposit.
 */
export const commandsOperation = <Tx extends object>(
  place: Place<Tx>,
  parts: readonly Place<Tx>[],
  testEnvironments: readonly string[],
): Operation<AccountCaller> => {
  const { one } = pathsOf(place);
  const inputOf = inputSchemas();
  const inputOfPart = inputSchemas();
  const own = (record: StoredRequest, isTest: boolean) =>
    Object.entries(place.rules)
      .filter(([, { by, from }]) => from.includes(record.status) && (by === 'partner' || isTest))
      .filter(([command]) => place.of.kind.commands[command]?.concerns?.(record) ?? true)
      .map(([command, rule]) => {
        const { method, path } = pathOfCommand(place, command, rule);
        const input = onlyIn(inputOf(place, command), rule, record);
        return viewOf({ command, method, path: path.slice(one.length) }, rule, input);
      });
  const ofParts = ({ status }: StoredRequest) =>
    parts.flatMap((part) => {
      const rule = part.rules['create'];
      if (!rule?.within?.includes(status)) return [];
      const path = `/${part.of.kind.path}`;
      return [viewOf({ command: 'create', method: 'POST', path }, rule, inputOfPart(part, 'create'))];
    });
  return {
    method: 'GET',
    maxBodyBytes,
    path: `${one}/commands`,
    operationId: `list${place.name}Commands`,
    summary: `Lists the commands that the state of ${withArticle(place.name)} allows`,
    description: 'Another rule may still refuse one, such as the state of the deposit of a cash-out.',
    tag: tagOf(place.name),
    answers: { 200: { description: 'The commands.', schema: listSchema(view) } },
    handle: ({ caller: { account }, params }) =>
      read(async () => {
        const found = await findIn(place, account, params);
        const isTest = testEnvironments.includes(account.environment);
        return found.map((record) => ({ body: { items: [...own(record, isTest), ...ofParts(record)] } }));
      }),
  };
};
