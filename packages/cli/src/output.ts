import { escapeControls } from './escape-controls.ts';

/** Where a command writes. Each line may quote strangers: its control characters are escaped. */
export interface Output {
  /** Results: lines for people, or with `--json` one object on one line. */
  result(lines: readonly string[], json: object): void;
  /** A line of progress, for people only. */
  progress(line: string): void;
}

export const createOutput = (json: boolean, stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream): Output => ({
  result: (lines, object) => {
    const written = json ? [JSON.stringify(object)] : lines;
    stdout.write(written.map((line) => `${escapeControls(line)}\n`).join(''));
  },
  progress: (line) => {
    if (!json) stderr.write(`${escapeControls(line)}\n`);
  },
});
