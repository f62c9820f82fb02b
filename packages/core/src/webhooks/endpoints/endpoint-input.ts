import { z } from 'zod';
import { shapeOf } from '../../base/fields/field.ts';
import { readInput } from '../../base/runtime/read-input.ts';
import { endpointFields } from './endpoint-fields.ts';
import type { Choosable, Selectable, UrlRules } from './endpoint-values.ts';

/** Without profiles to choose from, no field names one. */
const noProfiles: Choosable = { names: [], sends: () => false };

/** Reads the inputs of endpoints. */
export const createEndpointReader = (catalogue: Selectable, urls: UrlRules, profiles: Choosable = noProfiles) => {
  const fields = endpointFields({ catalogue, urls, profiles });
  const created = z.strictObject(shapeOf(fields, 'created'));
  const changed = z.strictObject(shapeOf(fields, 'changed'));
  return {
    fields,
    schemas: { created, changed },
    created: (input: unknown) => readInput(created, input),
    changed: (input: unknown) => readInput(changed, input),
  };
};

export type EndpointReader = ReturnType<typeof createEndpointReader>;
