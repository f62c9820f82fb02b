import { ok } from 'neverthrow';
import { z } from 'zod';
import { documentation } from '#documentation';
import type { AccountCaller } from '../../management/shared-operations.ts';
import type { Operation } from '../../operations/operation.ts';
import { pathOfCommand } from './command-operation.ts';
import { findIn, maxBodyBytes, type Place, pathsOf } from './place.ts';
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
  })
  .register(documentation, { name: 'PossibleCommand', description: 'A command that the state of an object allows.' });

/** The operation that lists the commands which the state of an object allows. @internal */
export const commandsOperation = <Tx extends object>(
  place: Place<Tx>,
  testEnvironments: readonly string[],
): Operation<AccountCaller> => {
  const { one } = pathsOf(place);
  return {
    method: 'GET',
    maxBodyBytes,
    path: `${one}/commands`,
    operationId: `list${place.name}Commands`,
    summary: `List the commands that the state of ${withArticle(place.name)} allows`,
    description: 'Another rule may still refuse one, such as the state of the deposit of a cash-out.',
    tag: tagOf(place.name),
    answers: { 200: { description: 'The commands.', schema: z.object({ items: z.array(view) }) } },
    handle: ({ caller: { account }, params }) =>
      read(async () => {
        const found = await findIn(place, account, params);
        return found.andThen(({ status }) => {
          const isTest = testEnvironments.includes(account.environment);
          const items = Object.entries(place.rules)
            .filter(([, { by, from }]) => from.includes(status) && (by === 'partner' || isTest))
            .map(([command, rule]) => {
              const { method, path } = pathOfCommand(place, command, rule);
              const isSimulated = rule.by === 'host';
              return { command, method, path: path.slice(one.length), isSimulated, description: descriptionOf(rule) };
            });
          return ok({ body: { items } });
        });
      }),
  };
};
