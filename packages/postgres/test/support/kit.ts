import { createPartnerkit, defineObject, type PartnerkitOptions } from '@partnerkit/core';
import { type Clock, type Storage, systemClock } from '@partnerkit/core/adapter';
import { memoryAccessTokens } from '@partnerkit/core/memory';
import { z } from 'zod';

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string() }),
  groups: {},
  events: { default: [] },
});

type Options = PartnerkitOptions<object, readonly (typeof payment)[]>;

/** The kit of a host. It is the same in each of its processes. */
export const openKit = <Tx extends object>(
  storage: Storage<Tx>,
  {
    clock = systemClock,
    ...options
  }: Pick<Options, 'sender'> &
    Partial<Pick<Options, 'accounts' | 'observe' | 'tokens' | 'webhooks'>> & { readonly clock?: Clock },
) =>
  createPartnerkit({
    accounts: { find: async (id) => ({ id, name: id, status: 'active', environment: 'prod' }) },
    storage,
    tokens: memoryAccessTokens(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }], clock },
    objects: [payment],
    ...options,
  });

export type Kit = ReturnType<typeof openKit>;

/** An event about an object that is named. */
export const payed = (accountId: string, id: string) =>
  ({ accountId, objectName: 'RequestPayment', type: 'payed', data: { id } }) as const;

/** Adds an endpoint, under a URL of its own, that takes such events. Resolves to its id. */
export const addEndpoint = async (
  { endpoints }: Pick<Kit, 'endpoints'>,
  accountId: string,
  name: string,
  more: { readonly includeChildren?: boolean } = {},
): Promise<string> => {
  const created = await endpoints.create(accountId, { url: urlOf(name), events: ['payed'], ...more });
  if (created.isErr()) throw new Error(created.error.code);
  return created.value.endpoint.id;
};

/** The URL of the endpoint of that name. */
export const urlOf = (name: string): string => `https://partner.example/${name}`;
