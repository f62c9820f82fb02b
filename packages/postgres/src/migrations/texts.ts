import { readFileSync } from 'node:fs';

/**
 * The text of a migration: of the file beside this module. The build replaces this module by one that contains all
 * texts, because bundlers of hosts include no other files.
 */
export const textOf = (name: string): string => readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8');
