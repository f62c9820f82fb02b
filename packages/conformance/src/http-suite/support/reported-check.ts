import type { OpenApiDocument } from '@partnerkit/core';
import { type CheckedAnswer, documentCheck } from './document-check.ts';

/** An answer that a suite has checked, with the document that describes it. @public */
export interface SuiteAnswer extends CheckedAnswer {
  /** The document of the platform. */
  readonly document: OpenApiDocument;
  /** HTTP method of the request. */
  readonly method: string;
  /** Target of the request, as sent. */
  readonly target: string;
}

/** A check of answers that reports each answer it has checked. */
export const reportedCheck = (
  document: OpenApiDocument,
  onAnswer: ((answer: SuiteAnswer) => void) | undefined,
): ReturnType<typeof documentCheck> => {
  const check = documentCheck(document);
  return (method, target, answer, request) => {
    const isDescribed = check(method, target, answer, request);
    onAnswer?.({ ...answer, document, method, target });
    return isDescribed;
  };
};
