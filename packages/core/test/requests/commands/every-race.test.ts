import { describe, expect, test } from 'vitest';
import type { ResultAsync } from '#result';
import { tagOfVersion } from '../../../src/base/http/entity-tag.ts';
import type { Unavailable } from '../../../src/base/runtime/call-port.ts';
import type { ServedKind } from '../../../src/requests/commands/effects.ts';
import { pathOfCommand } from '../../../src/requests/http/command-operation.ts';
import { type Place, placesOf } from '../../../src/requests/http/place.ts';
import { kinds } from '../../../src/requests/kinds/all.ts';
import type { CommandRule, RequestKind } from '../../../src/requests/kinds/define-kind.ts';
import { forEachKind, kindNames, type RequestKindName } from '../../../src/requests/record/names.ts';
import type { StoredRequest } from '../../../src/requests/record/record.ts';
import type { CommandRefusal } from '../../../src/requests/record/refusal.ts';
import type { RequestStore } from '../../../src/requests/stores/stores.ts';
import { call, loginToken } from '../../support/http.ts';
import { alone, done, own, recipient, requestWorld } from '../world.ts';
import { everyCommand } from './every-command.ts';

type Store = RequestStore<object, StoredRequest>;
type Outcome = ResultAsync<StoredRequest, CommandRefusal | Unavailable>;
/** A collection of any kind: the script says what fits. */
interface Collection {
  create(accountId: string, input: object, options: object): Outcome;
  perform(accountId: string, id: string, command: string, options: object): Outcome;
}

/** A platform whose writes lose races on purpose, and a processor that carries out once what is asked under one key. */
const racing = () => {
  const world = requestWorld();
  const asked: string[] = [];
  let races = 0;
  /** What another process commits while the next command waits for its lock. */
  let rival: (() => Promise<unknown>) | undefined;
  const wins = (): boolean => races-- <= 0;
  const stores = forEachKind((name) => {
    const store = world.stores[name] as unknown as Store;
    const losing: Store = {
      ...store,
      lock: async (...given) => {
        const act = rival;
        rival = undefined;
        await act?.();
        return store.lock(...given);
      },
      replace: async (...given) => wins() && store.replace(...given),
      remove: async (...given) => wins() && store.remove(...given),
    };
    return losing as never;
  });
  let ids = 0;
  const requests = world.requestsOver(stores, {
    testEnvironments: [own.environment],
    newId: async (_object, { idempotencyKey }) => `id_${++ids}_${asked.push(idempotencyKey)}`,
    paymentUrl: async ({ idempotencyKey }) => `https://pay.example/${asked.push(idempotencyKey)}`,
    returnOrigins: async ({ idempotencyKey }) =>
      [asked.push(idempotencyKey), 'https://shop.example'].slice(1) as string[],
    onCommand: ({ idempotencyKey }) => void asked.push(idempotencyKey),
  });
  return {
    ...world,
    requests,
    /** The answer of a command that loses a number of races, and how many calls its processor carried out. */
    losing: async <T>(lost: number, give: () => Promise<T>, meanwhile?: () => Promise<unknown>) => {
      races = lost;
      rival = meanwhile;
      asked.length = 0;
      const answer = await give();
      const hasWritten = races < 0;
      races = 0;
      rival = undefined;
      return { answer, calls: new Set(asked).size, hasWritten };
    },
  };
};
type Racing = ReturnType<typeof racing>;

/** How a command is given. */
interface Way {
  create(input: object): Promise<string>;
  /** The code of a refusal, or `done`. */
  perform(id: string, command: string, input: object, ifVersion?: number): Promise<string>;
}

const inProcess = ({ requests }: Racing, name: RequestKindName, parentId: string): Way => {
  const collection = requests[name] as unknown as Collection;
  return {
    create: async (input) => {
      const parent = name === 'cashOuts' ? { depositId: parentId } : {};
      return (await done(collection.create(own.id, { ...input, ...parent }, alone))).id;
    },
    perform: async (id, command, input, ifVersion) => {
      const given = await collection.perform(own.id, id, command, { input, ifVersion, ...alone });
      return given.match(
        () => 'done',
        ({ code }) => code,
      );
    },
  };
};

const overHttp = async ({ kit, requests }: Racing, name: RequestKindName, parentId: string): Promise<Way> => {
  const kind: RequestKind = kinds[name];
  const [place] = placesOf({ name, kind } as ServedKind<object>) as [Place<object>];
  const client = (await kit.clients.create(own.id, { name: 'Key' }))._unsafeUnwrap();
  const authorization = `Bearer ${await loginToken(kit, client)}`;
  const routes = [...kit.routes, ...requests.routes];
  const send = async (command: string, rule: CommandRule, id: string, input: object, ifVersion?: number) => {
    const { method, path } = pathOfCommand(place, command, rule);
    const target = `/api/v1/partner${path}`
      .replace(':organisationId', own.id)
      .replace(':depositId', parentId)
      .replace(':id', id);
    const condition = ifVersion === undefined ? {} : { 'if-match': tagOfVersion(ifVersion) };
    const headers = { authorization, 'content-type': 'application/json', ...condition };
    const body = method === 'DELETE' ? '' : JSON.stringify(input);
    const { body: answer, status } = await call({ routes }, method, target, { headers, body });
    return { ...JSON.parse(answer === '' ? '{}' : answer), status };
  };
  return {
    create: async (input) => (await send('create', kind.create as unknown as CommandRule, '', input)).id,
    perform: async (id, command, input, ifVersion) => {
      const { status, code } = await send(command, kind.commands[command] as CommandRule, id, input, ifVersion);
      return status < 300 ? 'done' : code;
    },
  };
};

/** A deposit that is paid, with a cash-out whose claim was denied. */
const disputedDeposit = async ({ requests: { deposits, cashOuts } }: Racing): Promise<string> => {
  const input = { name: 'Car', depositAmount: 50, currency: 'EUR', recipient };
  const { id } = await done(deposits.create(own.id, input, alone));
  await done(deposits.perform(own.id, id, 'succeedDeposit', { input: { transaction: {} }, ...alone }));
  const cashOut = await done(cashOuts.create(own.id, { depositId: id, amount: 5 }, alone));
  for (const command of ['claim', 'deny'] as const) await done(cashOuts.perform(own.id, cashOut.id, command, alone));
  return id;
};

test.each(kindNames)('the script of %s has every command of it', (name) => {
  const commands = everyCommand[name].map(([, command]) => command);
  expect(new Set(commands)).toEqual(new Set(['create', ...Object.keys(kinds[name].commands)]));
});

describe.each([
  ['in process', inProcess],
  ['over HTTP', overHttp],
] as const)('%s', (_how, wayOf) => {
  test.each(kindNames)(
    'each command on %s that loses two races is applied, and its processor is called once',
    async (name) => {
      const platform = racing();
      const disputed = await disputedDeposit(platform);
      const way = await wayOf(platform, name, disputed);
      const rivals =
        platform.kit && inProcess({ ...platform, requests: platform.requestsOver({}) } as Racing, name, disputed);
      const stored = platform.stores[name] as unknown as Store;
      const ids = new Map([['disputed', disputed]]);
      const versionOf = async (id: string) => (await stored.find(own, id))?.version ?? 0;
      for (const [object, command, input = {}] of everyCommand[name]) {
        if (command === 'create') {
          // Nobody else writes a new object: only its deposit is written by others.
          const { answer, calls } = await platform.losing(name === 'cashOuts' ? 2 : 0, () => way.create(input));
          expect([command, calls]).toEqual([command, 1]);
          ids.set(object, answer);
          continue;
        }
        const id = ids.get(object) ?? '';
        const before = await versionOf(id);
        let nth = 0;
        const meanwhile = () => rivals.perform(id, 'change', { metadata: { rival: `${command} ${nth++}` } });
        const conflict = await platform.losing(1, () => way.perform(id, command, input, before), meanwhile);
        expect([command, conflict.answer]).toEqual([command, 'version_mismatch']);
        const version = await versionOf(id);
        const { answer, calls, hasWritten } = await platform.losing(2, () => way.perform(id, command, input));
        expect([command, answer, hasWritten, calls]).toEqual([command, 'done', true, 1]);
        expect([command, await versionOf(id)]).toEqual([command, command === 'delete' ? 0 : version + 1]);
      }
    },
  );
});

test.each(
  kindNames.flatMap((name) => (kinds[name] as RequestKind).batches?.map((command) => [name, command] as const) ?? []),
)(
  'each item of a batch on %s that loses two races at %s is applied, and its processor is called once',
  async (name, command) => {
    const platform = racing();
    const { kit, requests, losing } = platform;
    const [[, , input = {}] = []] = everyCommand[name];
    const way = inProcess(platform, name, '');
    const items =
      command === 'create' ? [input, input] : [{ id: await way.create(input) }, { id: await way.create(input) }];
    const client = (await kit.clients.create(own.id, { name: 'Key' }))._unsafeUnwrap();
    const authorization = `Bearer ${await loginToken(kit, client)}`;
    const target = `/api/v1/partner/organisations/${own.id}/${kinds[name].path}/batch${command === 'create' ? '' : `/${command}`}`;
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'one' };
    const routes = [...kit.routes, ...requests.routes];
    const { answer, calls } = await losing(command === 'create' ? 0 : 2, () =>
      call({ routes }, 'POST', target, { headers, body: JSON.stringify({ items }) }),
    );
    expect(answer.status, answer.body).toBe(200);
    const statuses = JSON.parse(answer.body).items.map(({ status }: { readonly status: number }) => status);
    expect([statuses, calls]).toEqual([command === 'create' ? [201, 201] : [200, 200], 2]);
  },
);
