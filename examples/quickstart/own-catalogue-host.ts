import { createPartnerkit, defineCatalogue } from '@partnerkit/node';
import { z } from 'zod';
import { type HostOptions, kitOptions, serve, withDefaults } from './host.ts';

/** The objects of a platform for rents: none of the specification. */
const catalogue = defineCatalogue({
  Lease: ['signature', 'termination'],
  Invoice: { issue: {}, settlement: { description: 'The tenant settled an invoice.' } },
  Tenant: ['arrival', 'departure'],
});

const person = z.object({ email: z.email(), iban: z.string() });
const lease = catalogue.defineObject('Lease', {
  schema: z.object({ id: z.string(), rent: z.number(), tenant: person }),
  groups: { terms: ['rent'] },
  events: { default: ['terms'] },
});
const invoice = catalogue.defineObject('Invoice', {
  schema: z.object({ id: z.string(), total: z.number(), tenant: person }),
  groups: { summary: ['total'], tenant: ['tenant.email'] },
  events: { default: ['summary'], settlement: ['summary', 'tenant'] },
});
const tenant = catalogue.defineObject('Tenant', {
  schema: z.object({ id: z.string(), name: z.string() }),
  groups: { name: ['name'] },
  events: { default: ['name'] },
});

/** A platform with a catalogue of its own. */
export const startOwnCatalogueHost = async <Tx extends object>(options: HostOptions<Tx>) => {
  const settings = withDefaults(options);
  const kit = createPartnerkit({ ...kitOptions(settings), catalogue, objects: [lease, invoice, tenant] });
  return serve(settings, kit, {
    name: 'invoices',
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
