import type { OpenApiDocument } from '@partnerkit/core';
import type { HttpSuiteOptions } from '../http-suite.ts';
import { documentCheck } from './document-check.ts';

/** A check of answers that reports each answer it has checked. @internal */
export const reportedCheck = (
  document: OpenApiDocument,
  onAnswer: HttpSuiteOptions['onAnswer'],
): ReturnType<typeof documentCheck> => {
  const check = documentCheck(document);
  return (method, target, answer, request) => {
    const isDescribed = check(method, target, answer, request);
    onAnswer?.({ ...answer, document, method, target });
    return isDescribed;
  };
};
