import { randomUUID } from 'node:crypto';
import { defineObject, type ObjectDefinition, type Partnerkit } from '@partnerkit/node';
import { z } from 'zod';

const status = z.enum(['draft', 'signed', 'terminated']).meta({ description: 'How far the lease is.' });
/** Events tell of leases that are signed. */
const published = status.meta({ description: 'How far the lease is.', examples: ['signed'] });
const rent = z
  .number()
  .positive()
  .meta({ description: 'The monthly rent in EUR.', examples: [850.5] });
const email = z.email().meta({ description: 'Where the tenant gets messages.', examples: ['zoe@example.org'] });

/** A lease of the platform. The IBAN is in no event type, so it is never published. */
export const lease = defineObject('Lease', {
  schema: z.object({
    id: z.string(),
    status: published,
    rent,
    tenant: z.object({ email, iban: z.string().optional() }),
  }),
  events: {
    signature: { fields: ['status', 'rent', 'tenant.email'], description: 'The tenant signed the lease.' },
    termination: { fields: ['status', 'rent'], description: 'The lease ended.' },
  },
});

const tenant = z.object({ email });
const view = z.object({ id: z.string(), status, rent, tenant }).meta({ id: 'Lease' });
const page = z.object({ items: z.array(view), next: z.string().optional() });
const newLease = z.strictObject({ rent, tenant });
const query = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'Maximum number of items.' }),
  after: z.string().optional().meta({ description: 'The `next` of the page before.' }),
});

type LeaseView = z.infer<typeof view>;

const json = (code: number, body: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  status: code,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
/** The version of a lease: its status is all that changes. */
const etagOf = (of: LeaseView) => ({ etag: `"${of.status}"` });

/** The platform's own operations: a partner creates leases, reads and signs them. The leases are in memory. */
export const leaseRoutes = <Tx extends object, Defined extends ObjectDefinition>(
  kit: Pick<Partnerkit<Tx, Defined>, 'accountRoute'>,
  publishSignature: (accountId: string, data: LeaseView) => Promise<unknown>,
) => {
  const ofAccount = new Map<string, Map<string, LeaseView>>();
  const leasesOf = (accountId: string): Map<string, LeaseView> => {
    const leases = ofAccount.get(accountId) ?? new Map<string, LeaseView>();
    ofAccount.set(accountId, leases);
    return leases;
  };
  const path = '/organisations/:organisationId/leases';
  const tag = 'Leases';
  const one = { 200: { description: 'The lease.', schema: view } };
  return [
    kit.accountRoute(
      'POST',
      path,
      async ({ account }, _request, _params, { body }) => {
        const created: LeaseView = { id: randomUUID(), status: 'draft', ...body };
        leasesOf(account.id).set(created.id, created);
        const location = `/api/v1/partner/organisations/${account.id}/leases/${created.id}`;
        return json(201, created, { location, ...etagOf(created) });
      },
      {
        right: 'leases:write',
        operation: {
          ...{ operationId: 'createLease', summary: 'Creates a lease', tag, body: newLease },
          answers: {
            201: {
              ...{ description: 'The lease.', schema: view },
              headers: { Location: 'The path of the lease.', ETag: 'Its version.' },
            },
          },
        },
      },
    ),
    kit.accountRoute(
      'GET',
      path,
      async ({ account }, _request, _params, { query: { limit, after } }) => {
        const all = [...leasesOf(account.id).values()];
        const place = all.findIndex(({ id }) => id === after);
        if (after !== undefined && place < 0)
          return {
            code: 'refused',
            status: 400,
            problem: { code: 'invalid_cursor', detail: 'after is no next of this list.' },
          };
        const from = place + 1;
        const items = all.slice(from, from + limit);
        return json(200, { items, ...(from + limit < all.length ? { next: items.at(-1)?.id } : {}) });
      },
      {
        right: 'leases:read',
        operation: {
          ...{ operationId: 'listLeases', summary: 'Lists leases', tag, query },
          answers: { 200: { description: 'The leases, oldest first.', schema: page } },
          refuses: ['invalid_cursor'],
        },
      },
    ),
    kit.accountRoute(
      'GET',
      `${path}/:leaseId`,
      async ({ account }, _request, { leaseId }) => {
        const found = leasesOf(account.id).get(leaseId);
        return found ? json(200, found, etagOf(found)) : { code: 'not_found' };
      },
      {
        right: 'leases:read',
        operation: { operationId: 'getLease', summary: 'Reads a lease', tag, conditional: true, answers: one },
      },
    ),
    kit.accountRoute(
      'POST',
      `${path}/:leaseId/sign`,
      async ({ account }, _request, { leaseId }) => {
        const found = leasesOf(account.id).get(leaseId);
        if (!found) return { code: 'not_found' };
        if (found.status !== 'draft')
          return { code: 'refused', status: 409, problem: { code: 'wrong_state', detail: 'Only a draft is signed.' } };
        const signed: LeaseView = { ...found, status: 'signed' };
        await publishSignature(account.id, signed);
        leasesOf(account.id).set(leaseId, signed);
        return json(200, signed, etagOf(signed));
      },
      {
        right: 'leases:write',
        operation: {
          ...{ operationId: 'signLease', summary: 'Signs a lease that is a draft', tag, answers: one },
          refuses: ['wrong_state'],
        },
      },
    ),
  ];
};
