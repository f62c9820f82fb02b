/** What a host process is given that stops in the middle of a command. */
export interface HostTask {
  readonly role: 'host';
  readonly database: string;
  /** Its place among the processes of its test, counted from 0: each does something else. */
  readonly nth: number;
}

/** Reads the task. The process ends when its input ends. */
export const readTask = (): HostTask => {
  process.stdin.on('end', () => process.exit(1));
  process.stdin.resume();
  return JSON.parse(process.argv[3] ?? '');
};

/** Says that a command is stopped, with its transaction open. */
export const sayStopped = (): void => void process.stdout.write('"stopped"\n');
