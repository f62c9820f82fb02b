import { z } from 'zod';
import { mountRoutes, routeFinder } from '../../src/http.ts';
import { createPartnerkit, defineObject } from '../../src/index.ts';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '../../src/memory.ts';

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string() }),
  groups: { all: [] },
  events: { default: ['all'] },
});

export const alone = { tx: 'new' } as const;
export const eventInput = {
  accountId: 'acc_a',
  objectName: 'RequestPayment',
  type: 'payed',
  data: { id: 'p' },
} as const;

/** A platform in memory. */
export const platform = (listeners: {
  readonly observe: () => Promise<void>;
  readonly onError: () => Promise<void>;
}) => {
  const sender = memorySender();
  const kit = createPartnerkit({
    accounts: memoryAccounts([{ id: 'acc_a', name: 'A', status: 'active', environment: 'prod' }]),
    tokens: memoryAccessTokens(),
    storage: memoryStorage(),
    sender,
    sealingKeys: [{ id: 'k', key: new Uint8Array(32) }],
    objects: [payment],
    ...listeners,
  });
  return { kit, sender };
};

/** Sends a request to the routes of a kit. */
export const request = async (
  { routes }: Pick<ReturnType<typeof platform>['kit'], 'routes'>,
  method: string,
  path: string,
  { body, token }: { readonly body?: object; readonly token?: string },
) => {
  const target = `/api/v1/partner${path}`;
  const route = routeFinder(mountRoutes(routes))(target);
  if (!route) throw new Error(`no route for ${target}`);
  return route.handle({
    method,
    target,
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: new TextEncoder().encode(body ? JSON.stringify(body) : ''),
  });
};
