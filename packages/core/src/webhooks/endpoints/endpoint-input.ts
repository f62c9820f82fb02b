import { z } from 'zod';
import { documentation } from '#documentation';
import { withExample } from '../../base/fields/example.ts';
import { shapeOf } from '../../base/fields/field.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { once } from '../../base/runtime/once.ts';
import { readInput } from '../../base/runtime/read-input.ts';
import { endpointFields } from './endpoint-fields.ts';
import { isPulled, kindKeywords, pullProblem } from './endpoint-kind.ts';
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
      .refine(({ kind, url }) => kind === 'pull' || url !== undefined, {
        ...{ path: ['url'], error: 'missing: an HTTPS URL.' },
        when: ({ value, issues }) => isObject(value) && issues.every(({ path }) => path?.[0] !== 'url'),
      })
      .check(({ value, issues }) => {
        const problem = isPulled(value) ? pullProblem(value) : undefined;
        if (problem) issues.push({ code: 'custom', path: [problem.field], message: problem.rule, input: value });
      })
      .register(documentation, {
        example: { url: 'https://partner.example.com/webhooks', label: 'prod' },
        keywords: kindKeywords,
      }),
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
