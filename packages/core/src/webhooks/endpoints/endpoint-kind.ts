import type { Endpoint } from './endpoint.ts';

/** The fields of requests, which a pull endpoint does not have. */
const ofRequests = ['url', 'deliveryHeader', 'standardWebhooks'] as const;
type OfRequests = (typeof ofRequests)[number];

/** Whether a program of the partner asks for the events of the endpoint. */
export const isPulled = ({ kind }: Pick<Endpoint, 'kind'>): boolean => kind === 'pull';

/** An endpoint to which requests are sent. */
export type PushEndpoint = Endpoint & Required<Pick<Endpoint, 'url' | 'secret'>>;

/** Whether requests are sent to the endpoint: it has all that they need. */
export const isPushed = (endpoint: Endpoint): endpoint is PushEndpoint =>
  endpoint.kind === 'push' && endpoint.url !== undefined && endpoint.secret !== undefined;

/** The first field that a pull endpoint does not have, and the rule that it breaks. */
export const pullProblem = (
  fields: Readonly<Partial<Record<OfRequests, unknown>>>,
): { readonly field: OfRequests; readonly rule: string } | undefined => {
  const field = ofRequests.find((name) => Boolean(fields[name]));
  return field && { field, rule: 'not for a pull endpoint: nothing is sent to it.' };
};

const isPull = { properties: { kind: { const: 'pull' } }, required: ['kind'] };
/** The rules of kinds, for documents. */
export const kindKeywords = {
  allOf: [
    { anyOf: [{ required: ['url'] }, isPull] },
    {
      not: {
        properties: { kind: { const: 'pull' }, url: {}, deliveryHeader: {} },
        required: ['kind'],
        anyOf: [
          { required: ['url'] },
          { required: ['deliveryHeader'] },
          { properties: { standardWebhooks: { const: true } }, required: ['standardWebhooks'] },
        ],
      },
    },
  ],
};
