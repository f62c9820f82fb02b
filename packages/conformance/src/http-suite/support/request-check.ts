import { ok } from 'node:assert';
import type { OpenApiDocument } from '@partnerkit/core';
import { isJson, partOf, schemaCheck } from './body-check.ts';

/** A request over HTTP. @public */
export interface CheckedRequest {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as text; empty for none. */
  readonly body: string;
}

type Json = Readonly<Record<string, unknown>>;
interface Parameter extends Json {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Json;
}

/** A parameter of a query as its schema describes it. */
const readAs = (text: string, { type }: Json): unknown => {
  if (type === 'array') return text.split(',');
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  return type === 'integer' || type === 'number' ? Number(text) : text;
};

const bodyOf = (type: string, text: string): unknown =>
  type === 'application/x-www-form-urlencoded' ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);

/** Checks that a document describes a request that the platform has accepted. */
export const requestCheck = (document: OpenApiDocument) => {
  const check = schemaCheck(document, false);

  return (name: string, operation: Json, target: string, { headers, body }: CheckedRequest): void => {
    const written = (operation['parameters'] ?? []) as readonly Json[];
    const parameters = written.map((each) => partOf(document, each) as Parameter);
    const inQuery = parameters.filter((each) => each.in === 'query');
    const query = new URL(target, 'https://platform.example').searchParams;
    // The login reads no query, and refuses none.
    if (inQuery.length > 0)
      for (const [parameter, text] of query) {
        const described = inQuery.find((each) => each.name === parameter);
        ok(described, `${name}: the parameter ${parameter} is not in the document`);
        check(`${name} ?${parameter}`, described.schema, readAs(text, described.schema));
      }
    for (const { name: parameter, required } of inQuery)
      ok(!required || query.has(parameter), `${name}: the parameter ${parameter} is missing`);
    for (const { name: header, schema } of parameters.filter((each) => each.in === 'header')) {
      const value = headers[header.toLowerCase()];
      if (typeof value === 'string') check(`${name} ${header}`, schema, value);
    }
    const requestBody = operation['requestBody'];
    if (!isJson(requestBody)) return;
    if (body === '') {
      ok(requestBody['required'] !== true, `${name}: a request without a body is not in the document`);
      return;
    }
    const [type = ''] = String(headers['content-type']).toLowerCase().split(/ *;/, 1);
    const media = (requestBody['content'] as Readonly<Record<string, unknown>>)[type];
    ok(isJson(media), `${name}: a body of ${type} is not in the document`);
    check(`${name} ${type}, sent`, media['schema'], bodyOf(type, body));
  };
};
