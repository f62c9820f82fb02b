// An unused Result of neverthrow is an unseen error. Finds statements whose value is one.
import ts from 'typescript';

const names = new Set(['Result', 'ResultAsync', 'Ok', 'Err']);

const isResult = (type) => {
  if (type.isUnion()) return type.types.some(isResult);
  const symbol = type.aliasSymbol ?? type.symbol;
  const declaration = symbol?.declarations?.[0];
  return names.has(symbol?.name) && (declaration?.getSourceFile().fileName.includes('/neverthrow/') ?? false);
};

/** The statements of these files that drop a Result. */
export const droppedResults = (checker, sources) => {
  const dropped = [];
  const visit = (node) => {
    if (ts.isExpressionStatement(node)) {
      const value = ts.isVoidExpression(node.expression) ? node.expression.expression : node.expression;
      const assigned = ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken;
      if (!assigned && isResult(checker.getTypeAtLocation(value))) dropped.push(node);
    }
    ts.forEachChild(node, visit);
  };
  for (const source of sources) visit(source);
  return dropped;
};
