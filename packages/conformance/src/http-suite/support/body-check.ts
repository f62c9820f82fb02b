import { fail } from 'node:assert';
import type { OpenApiDocument } from '@partnerkit/core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A part of an operation, in place or among the components. */
export const partOf = ({ components }: OpenApiDocument, part: Json): Json => {
  const { $ref } = part;
  if (typeof $ref !== 'string') return part;
  const [folder = '', name = ''] = $ref.replace('#/components/', '').split('/');
  return (components as Readonly<Record<string, Readonly<Record<string, Json>>>>)[folder]?.[name] ?? {};
};

/** What a partner may ignore, a test must not: objects have no field beside those of the document. */
const closed = (node: unknown, isPart = false): unknown => {
  if (Array.isArray(node)) return node.map((item) => closed(item));
  if (!isJson(node)) return node;
  const parts = node['allOf'];
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    key === 'allOf' && Array.isArray(parts) ? parts.map((part) => closed(part, true)) : closed(value),
  ]);
  const isOpen = node['additionalProperties'] === undefined && !isPart;
  return {
    ...Object.fromEntries(entries),
    ...(isOpen && isJson(node['properties']) && node['type'] === 'object' ? { unevaluatedProperties: false } : {}),
  };
};

/**
 * Checks values against schemas of a document; equal schemas are compiled once. In answers and webhooks, objects are
 * closed.
 */
export const schemaCheck = ({ components }: OpenApiDocument, isClosed: boolean) => {
  const close = isClosed ? closed : (node: unknown) => node;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, code: { optimize: false } });
  ajv.addSchema({ ...(close({ components }) as object), $id: 'document' });
  const [byKey, byText] = [new Map<string, ValidateFunction>(), new Map<string, ValidateFunction>()];
  const compile = (schema: unknown): ValidateFunction => {
    const text = JSON.stringify(close(schema)).replaceAll('"#/components/', '"document#/components/');
    const validate = byText.get(text) ?? ajv.compile(JSON.parse(text));
    byText.set(text, validate);
    return validate;
  };
  return (key: string, schema: unknown, value: unknown): void => {
    const validate = byKey.get(key) ?? compile(schema);
    byKey.set(key, validate);
    if (!validate(value)) fail(`${key}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
  };
};
