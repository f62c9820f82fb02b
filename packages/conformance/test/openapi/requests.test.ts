import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../../tools/tests/effort.ts';
import { breaksOf } from './support/breaks.ts';
import { type Resolve, type Schema, valuesOf, variantsOf } from './support/values.ts';
import { createWorld } from './support/world.ts';

/** Requests of each operation that the document allows. */
const { numRuns, seed } = propertyRuns(4);
const world = await createWorld();
const { document, send, fill, key } = world;

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly explode?: boolean;
  readonly schema: Schema;
}
interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

/** An operation with its parameters in place. */
const withParameters = ({ parameters = [], ...rest }: Described): Described => ({
  ...rest,
  parameters: parameters.map((each) => {
    const name = each.$ref?.replace('#/components/parameters/', '');
    return name === undefined ? each : (document.components.parameters[name] as Parameter);
  }),
});

const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${template}`,
    method: method.toUpperCase(),
    template,
    ...withParameters(operation as Described),
  })),
);

const resolve: Resolve = (schema) => {
  const { $ref } = schema;
  return typeof $ref === 'string'
    ? resolve(document.components.schemas[$ref.replace('#/components/schemas/', '')] ?? {})
    : schema;
};
const ajv = new Ajv2020({ strict: false, code: { optimize: false } });
ajv.addFormat('email', /^[^\s@]+@[^\s@]+$/);
ajv.addFormat('uri', /^\w+:\/\/\S+$/);
ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
ajv.addFormat('date-time', true);
ajv.addSchema({ $id: 'document', components: document.components });
/** Compiling a schema and sampling its values take most of the time: each is done once for all tests of a schema. */
const once = <T>(make: (schema: Schema) => T): ((schema: Schema) => T) => {
  const made = new Map<Schema, T>();
  return (schema) => {
    const known = made.get(schema) ?? make(schema);
    made.set(schema, known);
    return known;
  };
};
const validatorOf = once((schema) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))),
);

/** Refusals that depend on other fields or on what is stored, which JSON Schema cannot state. */
const unstated = [
  '/stay an object with from and to, and to is not before from.',
  '/stay/to missing: a calendar date.',
  '/stay/from missing: a calendar date.',
  '/templateId no template of this account.',
  ...['guaranteedForDays', 'claimForDays'].map((field) => `/${field} leave it out: the platform gives the term.`),
  ...['amount', 'depositAmount'].map((field) => `/currency goes together with ${field}.`),
  '/endpointId no endpoint of this account.',
  '/transaction/currency EUR, or absent.',
  ...['/transaction/settledAt', '/chargeback/reportedAt'].map(
    (field) => `${field} whole seconds since 1970-01-01T00:00:00Z, at most a day ahead.`,
  ),
  ...['transaction', 'chargeback'].map((field) => `/${field}/cashOutId a cash-out of this deposit.`),
  // The currency decides how many decimals and digits.
  ...['amount', 'depositAmount', 'transaction/fee', 'transaction/amount'].map((field) => `/${field} at most`),
  '/after no next of this period.',
  // The data and the types of the object that the body names, of the catalogue of the host.
  '/data/',
  ...['ModelRequest', 'Request'].map((object) => `/type ${object}`),
  '/expiresAt a time in the future.',
  '/rights with children, name the rights',
  '/processorReference that of a chargeback which the platform has reported.',
];

const bodyOf = ({ requestBody }: Described, type = 'application/json') => requestBody?.content[type]?.schema;
const samplesOf = once((schema): readonly unknown[] => {
  const isValid = validatorOf(schema);
  const whole = resolve(schema);
  const variant = resolve(variantsOf(whole)[0] ?? whole);
  const { properties = {}, required = [] } = variant as {
    readonly properties?: object;
    readonly required?: readonly string[];
  };
  // The smallest one: what is required.
  const needed = Object.fromEntries(Object.entries(properties).filter(([name]) => required.includes(name)));
  const smallest = fc.sample(valuesOf({ ...variant, properties: needed }, resolve), { numRuns: 1, seed });
  const others = fc.sample(
    valuesOf(schema, resolve).filter((value) => isValid(value)),
    { numRuns, seed },
  );
  return [...smallest.filter((value) => isValid(value)), ...others];
});
/** Parameters as they stand in a query (RFC 6570, form style). */
const queryText = (values: object, { parameters = [] }: Described): string =>
  Object.entries(values)
    .map(([name, value]) => {
      const texts = [value].flat().map((each) => encodeURIComponent(String(each)));
      const isExploded = parameters.find((each) => each.name === name)?.explode ?? true;
      return `${name}=${texts.join(isExploded ? `&${name}=` : ',')}`;
    })
    .join('&');
const queryOf = ({ parameters = [] }: Described): Schema | undefined => {
  const inQuery = parameters.filter((each) => each.in === 'query');
  if (inQuery.length === 0) return undefined;
  const properties = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]));
  const required = inQuery.filter((each) => each.required).map(({ name }) => name);
  return { type: 'object', properties, required, additionalProperties: false };
};

const targetOf = async (template: string, query = ''): Promise<string> => {
  const values = await fill(template);
  const path = template.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''));
  return query === '' ? path : `${path}?${query}`;
};
let requests = 0;
/** The headers of a body, and those that the operation requires: each request has others. */
const headersOf = ({ parameters = [] }: Described): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  ...Object.fromEntries(
    parameters
      .filter((each) => each.in === 'header' && each.required)
      .map(({ name }) => [name.toLowerCase(), `v${requests++}`]),
  ),
});
interface Problem {
  readonly status: number;
  readonly code: string;
  readonly errors?: readonly { readonly pointer?: string; readonly parameter?: string; readonly detail: string }[];
}
interface Answered {
  readonly status: number;
  readonly body: string;
}
/** What an answer refuses: the request, or items of a batch. */
const problemsOf = ({ status, body }: Answered): readonly (Problem & { readonly at: string })[] => {
  if (status >= 400) return [{ ...JSON.parse(body), at: '' }];
  const { items = [] } = JSON.parse(body || '{}') as { readonly items?: readonly { readonly problem?: Problem }[] };
  return items.flatMap(({ problem }, index) => (problem ? [{ ...problem, at: `/items/${index}` }] : []));
};
const errorsOf = (answer: Answered) => problemsOf(answer).flatMap(({ errors = [] }) => errors);

describe.each(operations.filter(({ template }) => !/\/(login|revoke)$/.test(template)))('$name', (operation) => {
  const { method, template } = operation;
  const body = bodyOf(operation);
  const query = queryOf(operation);

  if (body)
    test('understands each body that the document allows', async () => {
      for (const value of samplesOf(body)) {
        const sent = JSON.stringify(value);
        const headers = headersOf(operation);
        const answer = await send({ method, target: await targetOf(template), headers, body: sent });
        const wrong = errorsOf(answer).map(({ pointer, detail }) => `${pointer} ${detail}`);
        expect(
          wrong.filter((error) => !unstated.some((rule) => error.startsWith(rule))),
          sent,
        ).toEqual([]);
        for (const { status, code } of problemsOf(answer)) {
          if (status === 400) expect(code, answer.body).toMatch(/^invalid_(input|cursor|event)$/);
          expect([413, 415, 500, 503], `${sent}: ${answer.body}`).not.toContain(status);
        }
      }
    });

  if (body)
    test('refuses each body that the document does not allow, and names the field', async () => {
      const isValid = validatorOf(body);
      const target = await targetOf(template);
      const tried = new Set<string>();
      for (const value of samplesOf(body))
        for (const { what, at, value: wrong } of breaksOf(body, value, resolve)) {
          // Of the items of a list, the first and one other are tried.
          const name = `${what} ${at.replace(/\/[1-9]\d*/g, '/n')}`;
          if (tried.has(name) || isValid(wrong)) continue;
          tried.add(name);
          const sent = JSON.stringify(wrong);
          const answer = await send({ method, target, headers: headersOf(operation), body: sent });
          const refused = problemsOf(answer).filter((problem) => problem.status === 400 && at.startsWith(problem.at));
          expect(refused, `${what} at ${at} of ${sent}: ${answer.body}`).toHaveLength(1);
          // A key is named by its first 64 characters, and some rules name the object.
          const isNamed = refused.some(({ at: item, errors = [] }) =>
            errors.some(({ pointer = '' }) => at.startsWith(`${item}${pointer.replace(/…$/, '')}`)),
          );
          expect(isNamed, `${what} at ${at}: ${answer.body}`).toBe(true);
        }
      expect(tried.size).toBeGreaterThan(0);
    });

  if (body && Object.keys(headersOf(operation)).length > 1)
    test('refuses a request without a header that the document requires', async () => {
      const headers = { 'content-type': 'application/json' };
      const sent = { method, target: await targetOf(template), headers, body: JSON.stringify(samplesOf(body)[0]) };
      const { status, body: refused } = await send(sent);
      expect([status, JSON.parse(refused).code]).toEqual([400, 'bad_request']);
    });

  if (query)
    test('understands each query that the document allows, and refuses others', async () => {
      const isValid = validatorOf(query);
      for (const values of samplesOf(query) as object[]) {
        const { after: _cursor, ...rest } = values as Readonly<Record<string, unknown>>;
        const asked = queryText(rest, operation);
        const answer = await send({ method, target: await targetOf(template, asked) });
        expect([200, 204, 404], `${asked}: ${answer.body}`).toContain(answer.status);
        for (const { what, at, value } of breaksOf(query, rest, resolve)) {
          const text = queryText(value as object, operation);
          // In a query, a number and its text are the same.
          const read = Object.fromEntries(
            Object.entries(value as object).map(([name, each]) => {
              const { type } = ((query['properties'] as Record<string, Schema>)[name] ?? {}) as Schema;
              const isNumber = (type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(String(each));
              if (isNumber) return [name, Number(each)];
              if (type === 'boolean') return [name, each === true || each === 'true' || (each !== false && each)];
              return [name, type === 'array' ? [each].flat().map(String) : String(each)];
            }),
          );
          if (what.startsWith('type') || isValid(read)) continue;
          const refused = await send({ method, target: await targetOf(template, text) });
          expect(refused.status, `${what} at ${at} of ?${text}: ${refused.body}`).toBe(400);
          const named = errorsOf(refused).map(({ parameter }) => `/${parameter}`);
          expect(
            named.some((name) => at.startsWith(name)),
            `${what} at ${at}: ${refused.body}`,
          ).toBe(true);
        }
      }
    });

  test('finds nothing below another id', async () => {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const values = await fill(template);
    for (const wrong of names) {
      const path = template.replace(/\{(\w+)\}/g, (_whole, name: string) =>
        name === wrong ? 'none' : (values[name] ?? ''),
      );
      const sent =
        body === undefined ? {} : { headers: headersOf(operation), body: JSON.stringify(samplesOf(body)[0]) };
      const answer = await send({ method, target: path, ...sent });
      const isEmptyList = answer.status === 200 && answer.body === '{"items":[]}';
      expect(isEmptyList || [404, 409].includes(answer.status), `${wrong}: ${answer.body}`).toBe(true);
    }
  });
});

describe('the login', () => {
  const login = operations.find(({ template }) => template.endsWith('/login')) as (typeof operations)[number];
  const basic = `Basic ${btoa(`${key.client.id}:${key.secret}`)}`;
  const write = {
    'application/json': (value: object) => JSON.stringify(value),
    'application/x-www-form-urlencoded': (value: object) => new URLSearchParams(value as never).toString(),
  };

  test.each(Object.keys(write) as (keyof typeof write)[])(
    'understands %s that the document allows, and refuses others',
    async (type) => {
      const schema = bodyOf(login, type) as Schema;
      const isValid = validatorOf(schema);
      const withKey = (value: object) => ({
        ...value,
        ...('client_id' in value && value.client_id ? { client_id: key.client.id } : {}),
        ...('client_secret' in value && value.client_secret ? { client_secret: key.secret } : {}),
      });
      const ask = (value: object) =>
        send({
          method: 'POST',
          target: login.template,
          headers: {
            'content-type': type,
            authorization: 'client_secret' in value && value.client_secret ? '' : basic,
          },
          body: write[type](value),
        });
      let refused = 0;
      for (const value of (samplesOf(schema) as object[]).map(withKey)) {
        const answer = await ask(value);
        expect(answer.status, `${JSON.stringify(value)}: ${answer.body}`).toBe(200);
        for (const { what, at, value: wrong } of breaksOf(schema, value, resolve)) {
          if (isValid(wrong) || typeof wrong !== 'object' || wrong === null || what.startsWith('type')) continue;
          const other = await ask(withKey(wrong));
          expect(other.status, `${what} at ${at} of ${JSON.stringify(wrong)}: ${other.body}`).toBe(400);
          refused += 1;
        }
      }
      expect(refused).toBeGreaterThan(3);
    },
  );

  test('needs the secret in the body, or by HTTP Basic', async () => {
    const isValid = validatorOf(bodyOf(login) as Schema);
    const whole = { grant_type: 'client_credentials', client_id: 'id', client_secret: 'secret', scope: 'USER' };
    expect(isValid(whole)).toBe(true);
    for (const name of ['grant_type', 'client_id', 'scope']) {
      const { [name as 'scope']: _left, ...rest } = whole;
      expect(isValid(rest), name).toBe(false);
    }
    // With HTTP Basic.
    expect(isValid({ grant_type: 'client_credentials', scope: 'USER' })).toBe(true);
    const { post } = document.paths[login.template] as unknown as { readonly post: { readonly security: object[] } };
    expect(post.security).toEqual([{ client: [] }, {}]);
    expect(document.components.securitySchemes).toMatchObject({ client: { type: 'http', scheme: 'basic' } });
  });
});
