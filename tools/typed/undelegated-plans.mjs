// A plan or an operation on rows that is called without `yield*` never runs. Finds each call whose result is a plan or
// a step, and that is not the operand of `yield*`, the result of a function that is no generator, or an argument.
import ts from 'typescript';

const names = new Set(['Plan', 'Step', 'Generator']);
const folders = [
  /packages\/core\/src\/stores\/rows\//,
  /packages\/mysql\/src\/rows\//,
  /packages\/sqlite\/src\//,
  /packages\/conformance\/src\/contracts\/rows\//,
  /packages\/conformance\/test\/rows\//,
];

const isPlan = (type) => {
  if (type.isUnion()) return type.types.some(isPlan);
  return names.has((type.aliasSymbol ?? type.symbol)?.name);
};

const isGenerator = (node) => ts.isFunctionLike(node) && node.asteriskToken !== undefined;
const functionOf = (node) => {
  let up = node.parent;
  while (up && !ts.isFunctionLike(up)) up = up.parent;
  return up;
};

/** Whether the value of a call is delegated, or handed on to something that delegates it. */
const isDelegated = (call) => {
  let [node, up] = [call, call.parent];
  while (
    ts.isParenthesizedExpression(up) ||
    ts.isAsExpression(up) ||
    ts.isSatisfiesExpression(up) ||
    (ts.isConditionalExpression(up) && up.condition !== node)
  )
    [node, up] = [up, up.parent];
  if (ts.isYieldExpression(up)) return up.asteriskToken !== undefined;
  if (ts.isArrowFunction(up)) return up.body === node;
  if (ts.isReturnStatement(up)) return !isGenerator(functionOf(up));
  return (ts.isCallExpression(up) || ts.isNewExpression(up)) && up.arguments?.includes(node);
};

/** The calls of plans in these files that nothing delegates. */
export const undelegatedPlans = (checker, sources) => {
  const found = [];
  for (const folder of folders)
    if (!sources.some(({ fileName }) => folder.test(fileName)))
      throw new Error(`undelegated-plans: ${folder} has no file.`);
  const visit = (node) => {
    if (ts.isCallExpression(node) && isPlan(checker.getTypeAtLocation(node)) && !isDelegated(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  for (const source of sources) if (folders.some((folder) => folder.test(source.fileName))) visit(source);
  return found;
};
