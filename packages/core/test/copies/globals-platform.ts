import { z } from 'zod';
import { mountRoutes, routeFinder } from '../../src/adapter.ts';
import { createPartnerkit, defineObject, type Route } from '../../src/index.ts';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '../../src/memory.ts';
import { createRequests, extendRequestObjects } from '../../src/requests.ts';

const extend = { payments: z.strictObject({ room: z.string() }) };

export { nodeBody } from '../../src/adapter.ts';

const options = () => ({
  accounts: memoryAccounts([{ id: 'acc_a', name: 'A', status: 'active', environment: 'prod' }]),
  tokens: memoryAccessTokens(),
  storage: memoryStorage(),
  sender: memorySender(),
  advanced: { sealingKeys: [{ id: 'k', key: new Uint8Array(32) }] as const },
});

/** A platform in memory. */
export const platform = (listeners: {
  readonly observe: () => Promise<void>;
  readonly onError: () => Promise<void>;
}) => {
  const { sender, ...others } = options();
  const kit = createPartnerkit({ ...others, sender, objects: extendRequestObjects(extend), ...listeners });
  return { kit, requests: createRequests({ kit, extend }), sender };
};

const booking = defineObject('RequestPayment', {
  schema: z.strictObject({ id: z.string() }),
  groups: { all: [] },
  events: { default: ['all'] },
});

/** Publishes an event whose schema refuses unknown fields. Returns the code of its refusal. */
export const publishStrict = async (): Promise<string | undefined> => {
  const kit = createPartnerkit({ ...options(), objects: [booking] });
  const event = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } } as const;
  return (await kit.events.tryPublish(event, { tx: 'new' })).match(
    () => undefined,
    ({ code }) => code,
  );
};

/** Sends a request to the routes of a kit. */
export const request = async (
  { routes }: { readonly routes: readonly Route[] },
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
