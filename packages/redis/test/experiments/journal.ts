import type { ReceiverTask } from '../../../receiver/test/processes/serve.ts';

/** What a process did: it took effect under a lease, or confirmed it. */
export interface Entry {
  readonly what: 'effect' | 'confirmed';
  readonly process: string;
  readonly lease: string;
  readonly key: string;
}

/** What a process with a receiver is given. */
export interface JournalTask extends ReceiverTask {
  /** Of the keys of the store. */
  readonly prefix: string;
  /** The file that all processes write to. */
  readonly journal: string;
}

/** Divides a page of memory, so that no line lies in two: whoever is killed has written all of it, or nothing. */
const length = 128;

export const lineOf = ({ what, process, lease, key }: Entry): string =>
  `${[what, process, lease, key].join(' ').padEnd(length - 1)}\n`;

/** All entries, in the order in which they were written. */
export const entriesOf = (journal: string): readonly Entry[] =>
  journal
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [what, process, lease, key] = line.trimEnd().split(' ') as [Entry['what'], string, string, string];
      return { what, process, lease, key };
    });
