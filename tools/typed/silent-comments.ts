// A comment that repeats the name of what it describes says nothing. Neither does `@internal` where no entry of a
// package exports the name: the list of exports says it. Finds both in source, except what the reference must document.
import ts from 'typescript';

/** Words that add nothing to a name. */
const fillers = new Set(['a', 'an', 'the', 'its', 'this', 'these', 'of', 'and']);
const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z\d]+/g)
    ?.map((word) => word.replace(/s$/, '')) ?? [];

/** The lines of a comment, without its marks. */
const linesOf = (text: string): readonly string[] =>
  text
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());

const tag = /(?<!\{)@\w+/g;
const internal = / ?(?<!\{)@internal\b/;

/** Whether a description has no word that its name has not. */
const repeats = (description: string, names: readonly string[]): boolean => {
  const known = new Set(names.flatMap(wordsOf));
  const words = wordsOf(description).filter((word) => !fillers.has(word));
  return description !== '' && words.every((word) => known.has(word));
};

/** The declarations of a node: those of a statement with several variables are several. */
const declarationsOf = (node: ts.Node): readonly ts.Node[] =>
  ts.isVariableStatement(node) ? node.declarationList.declarations : [node];

/** The declarations that the entries export. */
const exportedBy = (checker: ts.TypeChecker, entries: readonly ts.SourceFile[]): ReadonlySet<ts.Node> => {
  const exported = new Set<ts.Node>();
  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(entry);
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      for (const declaration of own.declarations ?? []) exported.add(declaration);
    }
  }
  return exported;
};

/** Whether a node is a property of an object that is exported. */
const isPropertyOf = (node: ts.Node, exported: ReadonlySet<ts.Node>): boolean => {
  if (!ts.isPropertyAssignment(node)) return false;
  const statement = ts.findAncestor(node, (each) => ts.isSourceFile(each.parent));
  return statement !== undefined && declarationsOf(statement).some((each) => exported.has(each));
};

/** A comment as it should be. Empty: it should go. */
const mended = (text: string, indent: number): string => {
  const lines = linesOf(text).map((line) => line.replace(internal, ''));
  // A line that only had the tag goes; so do the empty ones around it.
  const kept = lines.join('\n').trim().split('\n');
  if (kept.join('') === '') return '';
  const short = `/** ${kept[0]} */`;
  if (kept.length === 1 && indent + short.length <= 120) return short;
  const space = ' '.repeat(indent);
  return ['/**', ...kept.map((line) => `${space} * ${line}`.trimEnd()), `${space} */`].join('\n');
};

/** A silent comment: its place in the text of its file, and what should stand there instead. Empty: nothing. */
export interface SilentComment {
  readonly node: ts.Node;
  readonly start: number;
  readonly end: number;
  readonly instead: string;
}

/**
 * The silent comments of these files.
 * @param entries - The source files of the entries of all packages.
 */
export const silentComments = (
  checker: ts.TypeChecker,
  sources: readonly ts.SourceFile[],
  entries: readonly ts.SourceFile[],
): readonly SilentComment[] => {
  const exported = exportedBy(checker, entries);
  const found: SilentComment[] = [];
  const look = (node: ts.Node, source: ts.SourceFile): void => {
    // Of the public functions, none finds the comments of this node alone.
    const comment = (node as { readonly jsDoc?: readonly ts.JSDoc[] }).jsDoc?.at(-1);
    if (!comment) return;
    const text = source.text.slice(comment.pos, comment.end);
    const declarations = declarationsOf(node);
    const isExported = declarations.some((each) => exported.has(each));
    const isTopLevel = ts.isSourceFile(node.parent);
    const indent = comment.pos - source.text.lastIndexOf('\n', comment.pos - 1) - 1;
    const tags = text.match(tag) ?? [];
    const names = declarations.map((each) => (each as ts.NamedDeclaration).name?.getText(source) ?? '');
    // The reference must describe what is exported, the properties of such an object, and methods.
    const isOwed =
      isExported || isPropertyOf(node, exported) || ts.isMethodSignature(node) || ts.isMethodDeclaration(node);
    const says =
      tags.some((each) => each !== '@internal') || !repeats(linesOf(text).join(' ').replace(internal, ''), names);
    const isTagSilent = isTopLevel && !isExported && tags.includes('@internal');
    const isMember = !isTopLevel && tags.includes('@internal');
    if (!says && !isOwed && !isMember) found.push({ node, start: comment.pos, end: comment.end, instead: '' });
    else if (isTagSilent) found.push({ node, start: comment.pos, end: comment.end, instead: mended(text, indent) });
  };
  const own = ({ fileName, text }: ts.SourceFile): boolean =>
    /\/packages\/[^/]+\/src\//.test(fileName) && !text.startsWith('// Generated by ');
  for (const source of sources.filter(own)) {
    const visit = (node: ts.Node): void => {
      look(node, source);
      ts.forEachChild(node, visit);
    };
    ts.forEachChild(source, visit);
  }
  return found;
};
