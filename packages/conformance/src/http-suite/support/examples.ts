import { ok } from 'node:assert';
import type { OpenApiDocument } from '@partnerkit/core';
import { isJson, partOf } from './body-check.ts';

type Json = Readonly<Record<string, unknown>>;

/** An operation of a document, as a tool shows it. */
export interface ShownOperation {
  readonly operationId: string;
  /** In capitals. */
  readonly method: string;
  readonly template: string;
  /** The status that the document names first. */
  readonly status: number;
  /** The example of the JSON body. `undefined`: it has no body. */
  readonly body: unknown;
  /** The example of the answer with that status. `undefined`: it has no body. */
  readonly answer: unknown;
  /** The schema of that answer. */
  readonly answerSchema: unknown;
  /** The headers that a request must have. */
  readonly needs: readonly string[];
}

const mediaOf = (part: unknown, type?: string): Json | undefined => {
  const content = isJson(part) ? part['content'] : undefined;
  if (!isJson(content)) return undefined;
  const media = type === undefined ? Object.values(content)[0] : content[type];
  ok(isJson(media), 'a content without a media type');
  return media;
};

/** The operations of a document, with their examples. @throws AssertionError that names what has none. */
export const shownOperations = (document: OpenApiDocument): readonly ShownOperation[] =>
  Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, given]) => {
      const {
        operationId,
        requestBody,
        responses,
        parameters = [],
      } = given as Json & {
        readonly operationId: string;
        readonly responses: Readonly<Record<string, Json>>;
        readonly parameters?: readonly Json[];
      };
      const [status = '', response = {}] = Object.entries(responses)[0] ?? [];
      const [sent, answered] = [mediaOf(requestBody, 'application/json'), mediaOf(partOf(document, response))];
      ok(!sent || 'example' in sent, `${operationId}: its body has no example`);
      ok(!answered || 'example' in answered, `${operationId}: its answer has no example`);
      return {
        ...{ operationId, method: method.toUpperCase(), template, status: Number(status) },
        ...{ body: sent?.['example'], answer: answered?.['example'], answerSchema: answered?.['schema'] },
        needs: parameters
          .map((each) => partOf(document, each))
          .filter((each) => each['in'] === 'header' && each['required'] === true)
          .map(({ name }) => String(name)),
      };
    }),
  );
