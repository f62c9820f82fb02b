import { isIdentifier } from '../runtime/text.ts';
import { decodeSegment } from './path.ts';
import type { Route } from './route.ts';

/** Routes whose paths begin alike, by their next segment. */
interface Node {
  readonly literals: Map<string, Node>;
  parameter?: Node;
  /** The route whose path ends here. */
  route?: Route;
}

const emptyNode = (): Node => ({ literals: new Map() });

const childOf = (node: Node, segment: string): Node => {
  if (segment.startsWith(':')) {
    node.parameter ??= emptyNode();
    return node.parameter;
  }
  const child = node.literals.get(segment) ?? emptyNode();
  node.literals.set(segment, child);
  return child;
};

/**
 * Finds the route below a node whose path fits the rest of a path, from `start` on: literal segments first, then
 * parameters. `isMalformed`: a parameter before has an encoding that is not UTF-8. The route itself answers that,
 * whatever the parameters after it are.
 */
const search = (node: Node, path: string, start: number, isMalformed: boolean): Route | undefined => {
  if (start > path.length) return node.route;
  const slash = path.indexOf('/', start);
  const end = slash < 0 ? path.length : slash;
  const segment = path.slice(start, end);
  const literal = node.literals.get(segment);
  const found = literal && search(literal, path, end + 1, isMalformed);
  if (found || !node.parameter) return found;
  const value = isMalformed ? undefined : decodeSegment(segment);
  if (value !== undefined && !isIdentifier(value)) return undefined;
  return search(node.parameter, path, end + 1, value === undefined);
};

/**
 * Finds the route of a path as each route of the list would match it, in time that does not grow with the list. Of
 * several that fit, a literal segment wins over a parameter.
 */
export const routeTree = (routes: readonly Route[]): ((path: string) => Route | undefined) => {
  const root = emptyNode();
  for (const route of routes) {
    const node = route.path.split('/').reduce(childOf, root);
    node.route ??= route;
  }
  return (path) => search(root, path, 0, false);
};
