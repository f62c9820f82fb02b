import { type CheckedReceiver, diagnose } from './diagnosis.ts';
import type { Output } from './output.ts';
import { readRequest } from './recorded-request.ts';

export interface VerifyOptions {
  readonly file: string;
  readonly headers: readonly string[];
  readonly receiver: CheckedReceiver;
}

/** Says whether the signatures of a recorded request are valid, and why not. Resolves to the exit code. */
export const verify = ({ file, headers, receiver }: VerifyOptions, output: Output): number => {
  const diagnosis = diagnose(readRequest(file, headers), receiver, Date.now());
  output.result(diagnosis.findings, diagnosis);
  return diagnosis.isValid ? 0 : 1;
};
