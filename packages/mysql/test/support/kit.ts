import { createPartnerkit, defineObject } from '@partnerkit/core';
import type { DeliveryRequest, Sender, Storage } from '@partnerkit/core/adapter';
import { memoryAccessTokens } from '@partnerkit/core/memory';
import { z } from 'zod';

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string() }),
  groups: { all: [] },
  events: { default: ['all'] },
});

/** The kit of a host. It is the same in each of its processes. */
export const openKit = <Tx extends object>(storage: Storage<Tx>, sender: Sender) =>
  createPartnerkit({
    accounts: { find: async (id) => ({ id, name: id, status: 'active', environment: 'prod' }) },
    storage,
    tokens: memoryAccessTokens(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }] },
    objects: [payment],
    sender,
  });

export type Kit = ReturnType<typeof openKit>;

/** An event about an object that is named. */
export const payed = (accountId: string, id: string) =>
  ({ accountId, objectName: 'RequestPayment', type: 'payed', data: { id } }) as const;

/** Adds an endpoint that takes such events. */
export const addEndpoint = async (
  { endpoints }: Pick<Kit, 'endpoints'>,
  accountId: string,
  name: string,
): Promise<void> => {
  (await endpoints.create(accountId, { url: `https://partner.example/${name}`, events: ['payed'] }))._unsafeUnwrap();
};

/** A sender that keeps what it is given. */
export const arrivals = () => {
  const posts: DeliveryRequest[] = [];
  const objects = new Set<string>();
  const sender: Sender = {
    send: async (post) => {
      posts.push(post);
      objects.add((JSON.parse(post.body) as { data: { id: string } }).data.id);
      return { kind: 'answered', status: 200, body: '', durationMs: 1 };
    },
  };
  return { ...sender, posts, objects };
};
