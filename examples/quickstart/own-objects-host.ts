import { createPartnerkit, defineObject } from '@partnerkit/node';
import { z } from 'zod';
import { type HostOptions, kitOptions, serve, withDefaults } from './host.ts';
import { lease, leaseRoutes } from './leases.ts';

const person = z.object({ email: z.email(), iban: z.string() });
const invoice = defineObject('Invoice', {
  schema: z.object({ id: z.string(), total: z.number(), tenant: person }),
  events: {
    issue: ['total'],
    settlement: { fields: ['total', 'tenant.email'], description: 'The tenant settled an invoice.' },
  },
});
const tenant = defineObject('Tenant', {
  schema: z.object({ id: z.string(), name: z.string() }),
  events: { arrival: ['name'], departure: ['name'] },
});

/** A platform for rents: it has no object of the specification. */
export const startOwnObjectsHost = async <Tx extends object>(options: HostOptions<Tx>) => {
  const settings = withDefaults(options);
  const kit = createPartnerkit({
    ...kitOptions(settings),
    objects: [lease, invoice, tenant],
    api: { rights: ['leases'] },
  });
  const routes = leaseRoutes(kit, (accountId, data) =>
    kit.events.publish({ accountId, objectName: 'Lease', type: 'signature', data }, { tx: 'new' }),
  );
  return serve(settings, kit, {
    name: 'invoices',
    routes,
    paid: (id): z.infer<typeof invoice.schema> => ({
      id,
      total: 850.5,
      tenant: { email: 'zoe@example.org', iban: 'FR7630006000011234567890189' },
    }),
    publish: (accountId, data, tx) =>
      kit.events.publish({ accountId, objectName: 'Invoice', type: 'settlement', data }, { tx }),
    createEndpoint: (url) => kit.endpoints.create('org_main', { url, events: ['issue', 'settlement'] }),
  });
};
