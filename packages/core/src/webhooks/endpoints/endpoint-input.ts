import { z } from 'zod';
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
    created: z.strictObject(shapeOf(fields(), 'created')),
    changed: z.strictObject(shapeOf(fields(), 'changed')),
  }));
  return {
    fields,
    schemas,
    created: (input: unknown) => readInput(schemas().created, input),
    changed: (input: unknown) => readInput(schemas().changed, input),
  };
};

export type EndpointReader = ReturnType<typeof createEndpointReader>;
