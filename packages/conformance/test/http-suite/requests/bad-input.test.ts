import { mountRoutes, routeFinder } from '@partnerkit/core/adapter';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { kinds } from '../../../../core/src/requests/kinds/all.ts';
import type { Command, RequestKind } from '../../../../core/src/requests/kinds/define-kind.ts';
import { assertRefused, badOverHttp, badRequests } from '../../../src/http-suite/requests/bad.ts';
import { nameOf } from '../../../src/http-suite/requests/bad-request.ts';
import { requestsClient } from '../../../src/http-suite/requests/client.ts';
import { withTestEnvironment } from '../../../src/http-suite/requests/made.ts';
import { createRequestsPlatform } from '../../../src/http-suite/requests/platform.ts';
import { documentCheck } from '../../../src/http-suite/support/document-check.ts';

/** Where the objects of each kind are, in the paths of bad requests. */
const places: Readonly<Record<string, readonly string[]>> = {
  payments: ['{payment}'],
  deposits: ['{deposit}', '{deposited}'],
  cashOuts: ['{cashOut}'],
  paymentTemplates: ['{template}'],
  depositTemplates: ['{depositTemplate}'],
};
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const all = Object.values(badRequests).flat();

interface Definition {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
}
/** Each field of a schema, and each field in it, as a JSON pointer. */
const pointersOf = (schema: z.core.$ZodType, at = ''): readonly string[] => {
  const { innerType, element, shape = {} } = schema._zod.def as Definition;
  if (innerType) return pointersOf(innerType, at);
  if (element) return pointersOf(element, `${at}/0`);
  return Object.entries(shape).flatMap(([name, each]) => [`${at}/${name}`, ...pointersOf(each, `${at}/${name}`)]);
};

/** The method and the paths at which a command is given. */
const requestOf = (kind: string, { path, parent }: RequestKind, command: string) => {
  const at = places[kind] ?? expect.unreachable(kind);
  if (command === 'create') return { method: 'POST', paths: [parent ? '{deposited}/cash-outs' : path] };
  if (command === 'change') return { method: 'PATCH', paths: at };
  if (command === 'delete') return { method: 'DELETE', paths: at };
  const name = kebab(command);
  return { method: 'POST', paths: at.flatMap((place) => [`${place}/${name}`, `${place}/simulate/${name}`]) };
};

const commands = Object.entries<RequestKind>(kinds as never).flatMap(([kind, definition]) =>
  Object.entries<Pick<Command, 'input'>>({ create: definition.create, ...definition.commands }).map(
    ([command, { input }]) => ({ kind, definition, command, input }),
  ),
);

test.each(commands)(
  'each field of $command of $kind has a bad value that is refused',
  ({ kind, definition, command, input }) => {
    const { method, paths } = requestOf(kind, definition, command);
    const bad = all.filter((each) => each.method === method && paths.includes(each.path));
    const named = bad.flatMap(({ names = [] }) => names);
    const isNamed = (pointer: string) => named.some((name) => `${name}/`.startsWith(`${pointer}/`));
    // The deposit of a cash-out is in its path.
    const fields = pointersOf(input).filter((pointer) => pointer !== '/depositId');
    expect(fields.filter((pointer) => !isNamed(pointer))).toEqual([]);
    expect(bad.length).toBeGreaterThan(0);
  },
);

describe('without a server', () => {
  const open = async () => {
    const platform = await createRequestsPlatform(withTestEnvironment());
    const find = routeFinder(mountRoutes(platform.routes));
    return requestsClient(
      platform,
      async ({ method, target, headers = {}, body = '' }) =>
        (await find(target)?.handle({ method, target, headers, body: Buffer.from(body) })) ??
        expect.unreachable(target),
      documentCheck(platform.document()),
    );
  };
  const client = open();
  const others = all.filter((bad) => !badOverHttp.includes(bad));

  test.each(others.map((bad) => [`${nameOf(bad)}: ${bad.status} ${bad.code}, and nothing is stored`, bad] as const))(
    '%s',
    async (_name, bad) => assertRefused(await client, bad),
  );
});
