// Finds the TypeScript that is printed: the fences of Markdown pages, and what stands under @example in doc comments.

/** Where a text begins, counted from 1. */
const lineAt = (text, index) => text.slice(0, index).split('\n').length;

/**
 * The fences of a page: `{ file, line, language, marks, source }`. What follows the language are marks: `run` for a program
 * that must end well, the name of a file for one that a walk writes.
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

/** The examples of doc comments. They name what their package exports without importing it. */
export const examplesOf = (file, text) =>
  [...text.matchAll(/^( *)\* @example\n((?:\1\* [^@\n].*\n|\1\*\n)+)/gm)].map(({ index, 2: lines }) => ({
    file,
    line: lineAt(text, index) + 1,
    language: 'ts',
    marks: ['example'],
    source: lines.replace(/^ *\* ?/gm, ''),
  }));

/** The name of a snippet as a module: its own, if it says what to save it as, or its place. */
export const nameOf = ({ file, line, marks }) =>
  marks.find((mark) => mark.endsWith('.ts')) ?? `${file.replaceAll('/', '__')}.${line}.ts`;
