/** Statements with several shapes: each is written when it is first needed, and kept. The shapes must be few. */
export const byShape = <S, T>(write: (shape: S) => T): ((shape: S) => T) => {
  const written = new Map<string, T>();
  return (shape) => {
    const name = JSON.stringify(shape);
    const known = written.get(name) ?? write(shape);
    written.set(name, known);
    return known;
  };
};
