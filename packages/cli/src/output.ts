/** Where a command writes. @internal */
export interface Output {
  /** Results: text for people, or with `--json` one object on one line. */
  result(text: string, json: object): void;
  /** Progress, for people only. */
  progress(text: string): void;
}

/** @internal */
export const createOutput = (json: boolean, stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream): Output => ({
  result: (text, object) => void stdout.write(`${json ? JSON.stringify(object) : text}\n`),
  progress: (text) => {
    if (!json) stderr.write(`${text}\n`);
  },
});
