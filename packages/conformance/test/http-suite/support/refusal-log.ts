import type { OpenApiDocument } from '@partnerkit/core';
import { partOf } from '../../../src/http-suite/support/body-check.ts';
import type { SuiteAnswer } from '../../../src/http-suite/support/reported-check.ts';

type Json = Readonly<Record<string, unknown>>;
interface Described {
  readonly method: string;
  readonly pattern: RegExp;
  readonly operationId: string;
  readonly refusals: readonly string[];
}

interface Refused {
  readonly code?: string;
  readonly error?: string;
  readonly errors?: readonly { readonly pointer?: string; readonly parameter?: string }[];
}

/** The codes of refusals that name fields or parameters. */
const namesFields = /^invalid_(input|query|cursor|event)$/;

/** The codes that a response lists: "The caller may not do this. `forbidden`, `cross_site`." */
const codesOf = ({ description }: Json): readonly string[] =>
  [...String(description).matchAll(/`(\w+)`/g)].map(([, code = '']) => code);

const describedBy = (document: OpenApiDocument): readonly Described[] =>
  Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, responses } = operation as {
        readonly operationId: string;
        readonly responses: Readonly<Record<string, Json>>;
      };
      return {
        method: method.toUpperCase(),
        pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
        operationId,
        refusals: Object.entries(responses)
          .filter(([status]) => /^[45]\d\d$/.test(status))
          .flatMap(([status, response]) =>
            codesOf({ ...partOf(document, response), ...response }).map((code) => `${operationId} ${status} ${code}`),
          ),
      };
    }),
  );

/** Compares the refusals that a document lists with those that were answered: operation, status and code. */
export const createRefusalLog = () => {
  const documents = new Map<OpenApiDocument, readonly Described[]>();
  const [listed, answered, placeless] = [new Set<string>(), new Set<string>(), new Set<string>()];
  return {
    onAnswer: ({ document, method, target, status, body }: SuiteAnswer): void => {
      let described = documents.get(document);
      if (!described) {
        described = describedBy(document);
        documents.set(document, described);
        for (const refusal of described.flatMap(({ refusals }) => refusals)) listed.add(refusal);
      }
      if (status < 400 || body === '') return;
      const [path = ''] = target.split(/[?#]/, 1);
      const { code, error, errors } = JSON.parse(body) as Refused;
      if (
        code !== undefined &&
        namesFields.test(code) &&
        !errors?.every(({ pointer, parameter }) => (pointer ?? parameter) !== undefined)
      )
        placeless.add(`${method} ${path} ${code}`);
      // A path without another method lists its 405.
      for (const each of described)
        if (each.pattern.test(path) && (each.method === method || status === 405))
          answered.add(`${each.operationId} ${status} ${code ?? error}`);
    },
    /** What the documents list, and nothing answered. */
    unreached: (): readonly string[] => [...listed].filter((each) => !answered.has(each)).toSorted(),
    /** Refusals of fields that do not say which. */
    placeless: (): readonly string[] => [...placeless],
    /** What was answered, and no document lists. */
    unlisted: (): readonly string[] => [...answered].filter((each) => !listed.has(each)).toSorted(),
  };
};
