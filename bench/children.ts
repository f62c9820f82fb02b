import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { thisProcess } from './meter.ts';

/** Functions of another process. Arguments and results must be plain data. */
export type Handlers<H> = { readonly [K in keyof H]: (...given: never[]) => Promise<unknown> };

type Given<F> = F extends (...given: infer G) => unknown ? G : never;
type Answer<F> = F extends (...given: never[]) => Promise<infer A> ? A : never;

/** Another process. It ends with this one. */
export interface Child<H> {
  ask<K extends keyof H & string>(name: K, ...given: Given<H[K]>): Promise<Answer<H[K]>>;
  /** CPU time that it has used, in microseconds. */
  cpu(): Promise<number>;
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

/** Ends this process, and so its side: an engine would retry for ever. */
export const giveUp = (...why: readonly unknown[]): never => {
  console.error(...why);
  process.exit(1);
};

/** A call that takes longer will never end. */
const maxCallMs = 120_000;

/** All programs load the same modules. */
const compileCache = fileURLToPath(new URL('../node_modules/.cache/node-compile', import.meta.url));

/** The name of a program: that of its file. */
const nameOf = (program: URL): string => program.pathname.replace(/^.*\/(.*)\.ts$/, '$1');

/**
 * Starts a program that calls {@link serve}, and passes its input. When it ends by itself, its calls reject with its
 * name.
 */
export const startChild = async <H extends Handlers<H>>(
  program: URL,
  input: unknown,
  name: string = nameOf(program),
): Promise<Child<H>> => {
  const child = fork(program, { env: { ...process.env, NODE_COMPILE_CACHE: compileCache } });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(cause: Error): void }>();
  let asked = 0;
  let hasEnded = false;
  const settle = (id: number, how: 'resolve' | 'reject', value: unknown): void => {
    waiting.get(id)?.[how](value as never);
    waiting.delete(id);
  };
  const exited = once(child, 'exit').then(() => {
    hasEnded = true;
    for (const id of waiting.keys()) settle(id, 'reject', new Error(`The process of ${name} ended by itself.`));
  });
  child.on('message', ({ id, value, error }: Reply) => {
    if (error === undefined) settle(id, 'resolve', value);
    else settle(id, 'reject', new Error(`${name}: ${error}`));
  });
  const tell = async (call: string, given: readonly unknown[]): Promise<unknown> => {
    if (hasEnded) throw new Error(`The process of ${name} ended by itself.`);
    const id = ++asked;
    const limit = setTimeout(settle, maxCallMs, id, 'reject', new Error(`${name}: "${call}" did not end.`));
    try {
      return await new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        child.send({ id, name: call, given } satisfies Question);
      });
    } finally {
      clearTimeout(limit);
    }
  };
  await tell('open', [input]);
  return {
    ask: (call, ...given) => tell(call, given) as never,
    cpu: () => tell('cpu', []) as Promise<number>,
    end: async () => {
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
    if (name === 'cpu') return thisProcess.cpu();
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
