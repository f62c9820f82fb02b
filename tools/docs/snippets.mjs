// Finds TypeScript in the documentation: fences of Markdown pages, and @example blocks of doc comments.

/** The line of an index, counted from 1. */
const lineAt = (text, index) => text.slice(0, index).split('\n').length;

/**
 * The fences of a page: `{ file, line, language, marks, source }`. Words after the language are marks: `run` for a
 * program to run, the name of a file for a file of a walk.
 */
export const fencesOf = (file, text) =>
  [...text.matchAll(/^```(\w+)(?: (.*))?\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language, 2: marks = '', 3: source }) => ({
      file,
      line: lineAt(text, index) + 1,
      language,
      marks: marks.split(' ').filter(Boolean),
      source,
    }),
  );

/** The examples of doc comments. They use exports of their package without an import. */
export const examplesOf = (file, text) =>
  [...text.matchAll(/^( *)\* @example\n((?:\1\* [^@\n].*\n|\1\*\n)+)/gm)].map(({ index, 2: lines }) => ({
    file,
    line: lineAt(text, index) + 1,
    language: 'ts',
    marks: ['example'],
    source: lines.replace(/^ *\* ?/gm, ''),
  }));

/** The module name of a snippet: the name of its file, or its place. */
export const nameOf = ({ file, line, marks }) =>
  marks.find((mark) => mark.endsWith('.ts')) ?? `${file.replaceAll('/', '__')}.${line}.ts`;
