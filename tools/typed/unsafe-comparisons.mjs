// A comparison that stops at the first difference reveals how much of a guess was right. No test can detect that. So
// this finds source code that compares a signature, a digest or the value of a delivery header by anything but
// `equalInConstantTime`, and an `equalInConstantTime` that does not end in `timingSafeEqual`.
import ts from 'typescript';

/** Functions that compute a secret value, and the properties that contain one. */
const sourceFunctions = new Set(['hmacSha1', 'hmacSha256', 'digestSecret', 'createHmac']);
const sourceProperties = /(\.digest|\bdeliveryHeader!?\??\.value|\.clientSecret)$/;

const comparisons = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);
/** Methods that compare their receiver, or an element of it, with their argument. */
const comparingMethods =
  /^(includes|indexOf|lastIndexOf|startsWith|endsWith|localeCompare|search|equals|compare|is|has|isDeepStrictEqual)$/;

/** The unsafe comparisons of these files. */
export const unsafeComparisons = (checker, allSources) => {
  /** Whether the type is text or bytes, and not a union of a few literals. */
  const canBeSecret = (node) => {
    const type = checker.getTypeAtLocation(node);
    const parts = type.isUnion() ? type.types : [type];
    return parts.some(
      (part) => part.flags & (ts.TypeFlags.String | ts.TypeFlags.Any) || /Array|Buffer/.test(part.symbol?.name ?? ''),
    );
  };

  const declarationOf = (identifier) => {
    const symbol = checker.getSymbolAtLocation(identifier);
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return target?.valueDeclaration;
  };

  /** The origin of a name: the value of a constant, or for a parameter of a callback the list that calls it. */
  const originOf = (declaration) => {
    if (ts.isVariableDeclaration(declaration)) return declaration.initializer;
    const callback = ts.isParameter(declaration) ? declaration.parent : undefined;
    const call = callback && ts.isCallExpression(callback.parent) ? callback.parent.expression : undefined;
    return call && ts.isPropertyAccessExpression(call) ? call.expression : undefined;
  };

  /** Whether a value comes from a source, through constants, callbacks and functions that return text. */
  const comesFromSource = (node, seen = new Set()) => {
    if (seen.has(node)) return false;
    seen.add(node);
    const isCalled = ts.isCallExpression(node.parent) && node.parent.expression === node;
    if (ts.isPropertyAccessExpression(node) && !isCalled && sourceProperties.test(node.getText())) return true;
    if (ts.isIdentifier(node)) {
      if (sourceFunctions.has(node.text)) return true;
      const declaration = declarationOf(node);
      const origin = declaration && originOf(declaration);
      const isFunction = origin !== undefined && (ts.isArrowFunction(origin) || ts.isFunctionExpression(origin));
      if (isFunction && !(isCalled && canBeSecret(node.parent))) return false;
      return origin !== undefined && comesFromSource(origin, seen);
    }
    // For a function of this project, its body decides.
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) return comesFromSource(node.expression, seen);
    return ts.forEachChild(node, (child) => comesFromSource(child, seen)) ?? false;
  };

  const isSecret = (node) => canBeSecret(node) && comesFromSource(node);
  /** A comparison with a constant checks whether there is a value, not which one. */
  const isConstant = (node) =>
    ts.isLiteralExpression(node) || node.kind === ts.SyntaxKind.NullKeyword || node.getText() === 'undefined';

  const found = [];
  const visit = (node) => {
    if (ts.isBinaryExpression(node) && comparisons.has(node.operatorToken.kind)) {
      const sides = [node.left, node.right];
      if (!sides.some(isConstant) && sides.some(isSecret)) found.push(node);
    }
    if (ts.isSwitchStatement(node) && isSecret(node.expression)) found.push(node.expression);
    if (ts.isCallExpression(node) && node.arguments.length > 0 && !node.arguments.every(isConstant)) {
      const { expression } = node;
      const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
      const receiver = ts.isPropertyAccessExpression(expression) ? [expression.expression] : [];
      if (comparingMethods.test(name) && [...receiver, ...node.arguments].some(isSecret)) found.push(node);
    }
    ts.forEachChild(node, visit);
  };

  const sources = allSources.filter(({ fileName }) =>
    /\/packages\/(?!(?:testing|conformance|workshop)\/)[^/]+\/src\//.test(fileName),
  );
  for (const source of sources) visit(source);

  /** Every result of `equalInConstantTime` is `false`, for unequal lengths, or that of `timingSafeEqual`. */
  const equal = sources.find(({ fileName }) => fileName.endsWith('/packages/core/src/base/crypto/equal.ts'));
  const answers = [];
  const collect = (node) => {
    if (ts.isReturnStatement(node)) answers.push(node.expression);
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) answers.push(node.body);
    ts.forEachChild(node, collect);
  };
  collect(equal);
  const lastOf = (node) =>
    ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken
      ? node.right
      : node;
  const isSafe = (node) =>
    node.kind === ts.SyntaxKind.FalseKeyword || lastOf(node).getText().startsWith('timingSafeEqual(');
  found.push(...answers.filter((node) => !isSafe(node)));
  if (answers.every((node) => node.kind === ts.SyntaxKind.FalseKeyword)) found.push(equal);
  return found;
};
