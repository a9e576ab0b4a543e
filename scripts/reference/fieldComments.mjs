// Reads the comments beside the fields of a zod object, because the contracts explain their fields there.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** path of a field (`attempts.launches.argv`) -> the comment above it, for the object that `name` declares in `file`. */
export function fieldComments(root, file, name) {
  const found = new Map();
  new Reader(found).constant(path.join(root, file), name, '');
  return found;
}

class Reader {
  #found;
  #sources = new Map();

  constructor(found) {
    this.#found = found;
  }

  /** Follows a name to the constant of this file, or of the file that it is imported from. */
  constant(file, name, at) {
    const source = this.#source(file);
    if (source === null) return;
    for (const statement of source.statements) {
      if (ts.isVariableStatement(statement))
        for (const { name: declared, initializer } of statement.declarationList.declarations)
          if (declared.getText(source) === name && initializer) this.#value(initializer, source, at);
      if (!ts.isImportDeclaration(statement) || !statement.importClause?.namedBindings) continue;
      const { elements = [] } = statement.importClause.namedBindings;
      const imported = elements.find((element) => element.name.text === name);
      if (imported === undefined || !statement.moduleSpecifier.text.startsWith('.')) continue;
      const from = path.join(path.dirname(file), `${statement.moduleSpecifier.text}.ts`);
      this.constant(from, (imported.propertyName ?? imported.name).text, at);
    }
  }

  #value(node, source, at) {
    if (ts.isIdentifier(node)) return this.constant(source.fileName, node.text, at);
    if (ts.isObjectLiteralExpression(node)) return this.#fields(node, source, at);
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { expression: called } = node.expression;
    // `z.object({ ... })`, `z.array(x)`; otherwise a method such as `.optional()` of another value.
    if (called.getText(source) !== 'z') return this.#value(called, source, at);
    for (const argument of node.arguments) this.#value(argument, source, at);
  }

  #fields(object, source, at) {
    for (const field of object.properties) {
      if (ts.isSpreadAssignment(field)) {
        this.#value(field.expression, source, at);
        continue;
      }
      const name = field.name?.getText(source) ?? '';
      const here = at === '' ? name : `${at}.${name}`;
      const comment = commentAbove(field, source);
      if (comment !== '' && !this.#found.has(here)) this.#found.set(here, comment);
      if (ts.isPropertyAssignment(field)) this.#value(field.initializer, source, here);
      if (ts.isShorthandPropertyAssignment(field)) this.constant(source.fileName, name, here);
    }
  }

  #source(file) {
    if (!this.#sources.has(file)) {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : null;
      this.#sources.set(file, text === null ? null : ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
    }
    return this.#sources.get(file);
  }
}

function commentAbove(node, source) {
  const ranges = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [];
  const last = ranges.filter(({ pos }) => source.text.startsWith('/**', pos)).at(-1);
  if (last === undefined) return '';
  return source.text
    .slice(last.pos + 3, last.end - 2)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join(' ')
    .trim();
}
