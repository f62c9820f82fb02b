// A TypeDoc plugin: shows types as in the source, what to import, and unions as tables; omits empty texts.
import { Converter, TypeScript as ts } from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';
import { withImport, withUnionTable } from './reference-page.mjs';

export const load = (app) => {
  // TypeDoc validates unexported types for the package of the project only. This project has several packages.
  const validate = app.validate.bind(app);
  const optionOf = app.options.getValue.bind(app.options);
  app.validate = (project) => {
    for (const name of optionOf('packagesRequiringDocumentation')) {
      project.packageName = name;
      const ofPackage = (value) => value.filter((each) => each.startsWith(`${name}/`));
      app.options.getValue = (option) =>
        option === 'intentionallyNotExported' ? ofPackage(optionOf(option)) : optionOf(option);
      validate(project);
    }
  };
  // Destructured parameters.
  app.converter.on(Converter.EVENT_CREATE_PARAMETER, (_context, parameter) => {
    parameter.name = parameter.name.replace('__namedParameters', 'options');
  });
  // TypeDoc shows `readonly [A, ...A[]]` as `readonly [A, A]`, because the compiler drops the rest element. So this
  // uses the source.
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    const node = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.type;
    if (node?.kind === ts.SyntaxKind.TypeOperator && node.type.kind === ts.SyntaxKind.TupleType)
      reflection.type = context.converter.convertType(context.withScope(reflection), node);
  });
  app.renderer.on(MarkdownPageEvent.END, (page) => {
    const [head, ...members] = page.contents?.split(/^(?=## )/m) ?? [];
    const text = [head, ...members.map((text) => text.replaceAll(/^Defined in: .*\n\n/gm, ''))]
      .join('')
      // A default may stand on several lines of its comment.
      .replaceAll(
        /^#+ Default Value\n\n```ts\n([^`]*)\n```$/gm,
        (_, value) => `Default: \`${value.replaceAll('\n', ' ')}\``,
      )
      .replaceAll(/^#+ Default Value\n\n/gm, 'Default: ')
      // Leaves cells without a value empty.
      .replaceAll(/(?<=^\|.*)\| (`undefined`|-) (?=\|)/gm, '|  ');
    page.contents = withImport(withUnionTable(text), { url: page.url.replace(/\.md$/, ''), name: page.model.name });
  });
};
