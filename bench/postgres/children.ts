import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Functions of another process. Arguments and results must be plain data. */
export type Handlers<H> = { readonly [K in keyof H]: (...given: never[]) => Promise<unknown> };

type Given<F> = F extends (...given: infer G) => unknown ? G : never;
type Answer<F> = F extends (...given: never[]) => Promise<infer A> ? A : never;

/** Another process. It ends with this one. */
export interface Child<H> {
  ask<K extends keyof H & string>(name: K, ...given: Given<H[K]>): Promise<Answer<H[K]>>;
  end(): Promise<void>;
}

interface Question {
  readonly id: number;
  readonly name: string;
  readonly given: readonly unknown[];
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** Ends this process, and so the run: an engine would retry for ever. */
export const giveUp = (...why: readonly unknown[]): never => {
  console.error(...why);
  process.exit(1);
};

/** A call that takes longer will never end. */
const maxCallMs = 600_000;

/** Starts a program that calls {@link serve}, and passes its input. The run ends when the program ends by itself. */
export const startChild = async <H extends Handlers<H>>(program: URL, input: unknown): Promise<Child<H>> => {
  const child = fork(program);
  const waiting = new Map<number, { resolve(value: unknown): void; reject(cause: Error): void }>();
  let asked = 0;
  let isEnding = false;
  const exited = once(child, 'exit').then(() => {
    if (!isEnding) giveUp(`${program.pathname} ended.`);
  });
  child.on('message', ({ id, value, error }: Reply) => {
    if (error === undefined) waiting.get(id)?.resolve(value);
    else waiting.get(id)?.reject(new Error(`${program.pathname}: ${error}`));
    waiting.delete(id);
  });
  const tell = (name: string, given: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      const limit = setTimeout(giveUp, maxCallMs, `${program.pathname}: ${name} did not end.`);
      const ended =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(limit);
          settle(value);
        };
      waiting.set(id, { resolve: ended(resolve), reject: ended(reject) });
      child.send({ id, name, given } satisfies Question);
    });
  await tell('open', [input]);
  return {
    ask: (name, ...given) => tell(name, given) as never,
    end: async () => {
      isEnding = true;
      if (child.connected) child.disconnect();
      await exited;
    },
  };
};

/** The other side: serves the calls of the parent process. */
export const serve = <H extends Handlers<H>>(open: (input: never) => Promise<H>): void => {
  let handlers: H | undefined;
  const answer = async ({ name, given }: Question): Promise<unknown> => {
    if (name === 'open') {
      handlers = await open(given[0] as never);
      return undefined;
    }
    return handlers?.[name as keyof H](...(given as never[]));
  };
  process.on('message', (question: Question) => {
    const reply = (rest: Omit<Reply, 'id'>): void => void process.send?.({ id: question.id, ...rest } satisfies Reply);
    answer(question).then(
      (value) => reply({ value }),
      (cause: unknown) => reply({ error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }),
    );
  });
  process.on('disconnect', () => process.exit());
};

/** Milliseconds on a clock that all processes of this machine share. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6;
