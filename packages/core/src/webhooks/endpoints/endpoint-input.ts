import { z } from 'zod';
import { documentation } from '#documentation';
import { withExample } from '../../base/fields/example.ts';
import { shapeOf } from '../../base/fields/field.ts';
import { once } from '../../base/runtime/once.ts';
import { readInput } from '../../base/runtime/read-input.ts';
import { endpointFields } from './endpoint-fields.ts';
import type { Choosable, Selectable, UrlRules } from './endpoint-values.ts';

/** Without profiles to choose from, no field names one. */
const noProfiles: Choosable = { names: [], sends: () => false };

/** Reads the inputs of endpoints. */
export const createEndpointReader = (catalogue: Selectable, urls: UrlRules, profiles: Choosable = noProfiles) => {
  const fields = once(() => endpointFields({ catalogue, urls, profiles }));
  const schemas = once(() => ({
    // Its events are the first ones of the catalogue.
    created: z
      .strictObject(shapeOf(fields(), 'created'))
      .register(documentation, { example: { url: 'https://partner.example.com/webhooks', label: 'prod' } }),
    changed: withExample(z.strictObject(shapeOf(fields(), 'changed')), { label: 'prod, bookings' }),
  }));
  return {
    fields,
    schemas,
    created: (input: unknown) => readInput(schemas().created, input),
    changed: (input: unknown) => readInput(schemas().changed, input),
  };
};

export type EndpointReader = ReturnType<typeof createEndpointReader>;
