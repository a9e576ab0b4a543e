// Reads every sentence that the code can show a person, as xgettext does for translators. It reads
// the sources, so that they stay the only copy. What is filled in at run time is shown with an
// example (messageExamples.mjs); a value without one stops the reading and names its place, and so
// does an example that no value uses.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { examples } from './messageExamples.mjs';

/** Every way a message can read, in the order of the files. See messages.d.mts. */
export function readMessages(root) {
  const files = readdirSync(path.join(root, 'src'), { recursive: true })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .sort();
  const reader = new Reader(
    new Map(files.map((file) => [file, parsedAs(file, readFileSync(path.join(root, file), 'utf8'))])),
  );
  const messages = files
    .filter((file) => !file.startsWith('src/contracts/'))
    .flatMap((file) => reader.messagesIn(file));
  if (reader.missing.size > 0)
    throw new Error(
      `Values without an example (scripts/messageExamples.mjs):\n${[...reader.missing].map(([at, text]) => `  ${at}: ${text}`).join('\n')}`,
    );
  const stale = Object.keys(examples).filter((key) => !reader.used.has(key));
  if (stale.length > 0)
    throw new Error(`Examples that no value is shown with (scripts/messageExamples.mjs):\n  ${stale.join('\n  ')}`);
  return messages;
}

/** Keeps the syntax tree of each file's last text, so that a change of one file parses that file alone. */
const parsed = new Map();

function parsedAs(file, text) {
  const known = parsed.get(file);
  if (known?.text === text) return known;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  parsed.set(file, source);
  return source;
}

/** Marks a place that is not filled in; a sentence that holds it is never shown. */
const nothing = '\0';
const isCode = (text) => /^[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*$/.test(text) || /^[a-z]+(?:_[a-z]+)+$/.test(text);
/** A message may read in at most so many ways; more are an error of the reader or of the writer. */
const mostWays = 80;
/** Messages with so many parts that only some of their ways are listed; the page says so. */
const sampled = new Map([
  ['src/adapters/documents/schemas.ts', 24],
  ['src/adapters/evidence/outputs.ts', 24],
  ['src/core/lifecycle/judge/judge.ts', 60],
  ['src/core/lifecycle/judge/judgeChanges.ts', 60],
  ['src/core/mission/resolve/packetCommands.ts', 79],
  ['src/core/plan/rules/commands.ts', 24],
]);

class Reader {
  #sources;
  /** The place of the message that is being read. */
  #told = '';
  /** place -> expression without an example. */
  missing = new Map();
  /** Examples that were used. */
  used = new Set();
  /** Choices of the way that is being read: text of the condition -> branch. */
  #chosen = new Map();
  #open = [];
  #depth = 0;
  #passing = new Map();
  /** Arguments that are one step each, also where a caller gives them. */
  #oneStep = new WeakSet();
  #frames = [];

  constructor(sources) {
    this.#sources = sources;
  }

  messagesIn(file) {
    const source = this.#sources.get(file);
    const found = [];
    const visit = (node) => {
      const site = this.#siteOf(node);
      if (site) found.push(...this.#waysOf(site, file, source));
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  }

  /** Lists the same message once for each combination of its conditions. */
  #waysOf(site, file, source) {
    const line = source.getLineAndCharacterOfPosition(site.node.getStart(source)).line + 1;
    const ways = new Map();
    const queue = [new Map()];
    for (let turn = 0; queue.length > 0 && turn < (sampled.get(file) ?? Infinity); turn += 1) {
      if (turn === mostWays)
        throw new Error(
          `${file}:${line} can be told in more than ${mostWays} ways: write it in fewer, or list it in sampled.`,
        );
      this.#told = `${file}:${line}`;
      this.#chosen = queue.shift();
      this.#open = [];
      const missed = new Map(this.missing);
      const used = new Set(this.used);
      const code =
        site.kind === 'doctor'
          ? this.#text(site.code)
          : typeof site.code === 'string'
            ? site.code
            : this.#code(site.code);
      const text = this.#text(site.message).trim();
      const steps = site.next === undefined ? [] : this.#steps(site.next);
      // Skips a message that passes on another one, because that one is listed where it is made.
      if (code === '') {
        this.missing = missed;
        this.used = used;
        return [];
      }
      for (const [key, count] of this.#open)
        for (let branch = 1; branch < count; branch += 1) {
          const decided = [...this.#open.keys()];
          const before = decided.slice(0, decided.indexOf(key)).map((one) => [one, this.#chosen.get(one) ?? 0]);
          queue.push(new Map([...this.#chosen, ...before, [key, branch]]));
        }
      if (/\s/.test(text) && !`${text}${steps.join('')}`.includes(nothing) && !text.includes('\\u0000'))
        ways.set(`${code} ${text} ${JSON.stringify(steps)}`, { kind: site.kind, code, text, steps, file, line });
    }
    return [...ways.values()];
  }

  /** Chooses which of `count` branches this way takes; each other branch becomes a way of its own. */
  #choose(key, count) {
    if (!this.#chosen.has(key) && !this.#open.some(([one]) => one === key)) this.#open.push([key, count]);
    return this.#chosen.get(key) ?? 0;
  }

  #text(node) {
    const source = node.getSourceFile();
    const key = node.getText(source).replaceAll(/\s+/g, ' ');
    const here = `${place(source.fileName)} ${key}`;
    const shown = this.#shown(here) ?? (ts.isIdentifier(node) ? undefined : this.#shown(key));
    if (shown !== undefined) return shown;
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
    if (node.kind === ts.SyntaxKind.NullKeyword || key === 'undefined') return nothing;
    if (ts.isTemplateExpression(node))
      return (
        node.head.text + node.templateSpans.map((span) => this.#text(span.expression) + span.literal.text).join('')
      );
    if (ts.isTaggedTemplateExpression(node)) return this.#text(node.template);
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isAwaitExpression(node)
    )
      return this.#text(node.expression);
    if (ts.isConditionalExpression(node)) {
      const condition = node.condition.getText(source).replaceAll(/\s+/g, ' ');
      return this.#text(this.#choose(condition, 2) === 0 ? node.whenTrue : node.whenFalse);
    }
    if (ts.isBinaryExpression(node)) {
      if (
        node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken ||
        node.operatorToken.kind === ts.SyntaxKind.BarBarToken
      )
        return this.#known(node.left) ?? this.#text(node.right);
      return this.#text(node.left);
    }
    if (ts.isCallExpression(node)) return this.#called(node, key);
    if (ts.isIdentifier(node)) {
      const value = this.#valueOf(node);
      if (value && !isReadFromDocument(value) && !ts.isElementAccessExpression(value))
        return this.#deeper(() => this.#text(value), key, node);
      const given = this.#argument(node, (argument) =>
        Array.isArray(argument) ? argument.map((one) => this.#text(one)).join(' ') : this.#text(argument),
      );
      if (given !== undefined) return given;
      return this.#example(node.text, node, key);
    }
    if (ts.isPropertyAccessExpression(node)) {
      const owner = this.#objectOf(node.expression);
      const member = owner && propertyOf(owner, node.name.text);
      if (member) return this.#text(member);
      return this.#example(node.name.text, node, key);
    }
    if (ts.isElementAccessExpression(node)) {
      if (ts.isStringLiteralLike(node.argumentExpression))
        return this.#example(node.argumentExpression.text, node, key);
      const owner = this.#objectOf(node.expression);
      if (owner) {
        const members = owner.properties.filter(ts.isPropertyAssignment);
        return this.#text(members[this.#choose(key, members.length)].initializer);
      }
      return this.#text(node.expression);
    }
    if (ts.isArrayLiteralExpression(node)) return this.#list(node)?.join(', ') ?? '';
    return this.#example(key, node, key);
  }

  /** The code at this place; '': it comes from another message. */
  #code(node) {
    if (ts.isStringLiteralLike(node)) return isCode(node.text) ? node.text : '';
    if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node))
      return this.#code(node.expression);
    if (ts.isConditionalExpression(node))
      return this.#code(this.#choose(key(node.condition), 2) === 0 ? node.whenTrue : node.whenFalse);
    if (ts.isBinaryExpression(node)) return this.#code(node.right);
    if (ts.isPropertyAccessExpression(node)) {
      const owner = this.#objectOf(node.expression);
      const member = owner && propertyOf(owner, node.name.text);
      return member ? this.#code(member) : '';
    }
    if (!ts.isIdentifier(node)) return '';
    const value = this.#valueOf(node);
    return value ? this.#code(value) : '';
  }

  #called(node, key) {
    const callee = node.expression;
    const [first] = node.arguments;
    if (ts.isPropertyAccessExpression(callee)) {
      const { name, expression } = callee;
      const shown = this.#shown(`${name.text}()`);
      if (shown !== undefined) return shown;
      if (key.startsWith('JSON.stringify(') && first) return JSON.stringify(this.#text(first));
      if (name.text === 'replace' && first?.getText().startsWith('/[.\\s]+$/'))
        return this.#text(expression).replace(/[.\s]+$/, '');
      if (name.text === 'join') {
        const list = this.#list(expression);
        return list ? list.join(first && ts.isStringLiteralLike(first) ? first.text : ', ') : this.#text(expression);
      }
      if (name.text === 'text' || name.text === 'from') return this.#text(first ?? expression);
      if (name.text === 'lines' && first) return this.#text(first);
      return this.#text(expression);
    }
    if (ts.isIdentifier(callee)) {
      if (isReadFromDocument(node)) {
        const what = node.arguments[node.arguments.length - 1];
        return ts.isStringLiteralLike(what) ? this.#example(what.text, node, key) : this.#text(what);
      }
      if (callee.text === 'nearest') return this.#example('near', node, key);
      if (callee.text === 'quoted' && first) return JSON.stringify(this.#text(first));
      // Shows faults of the system with one example: missing rights.
      if (callee.text === 'errorHelp') return this.#text(node.arguments[1]);
      if (['String', 'capital', 'commandLine', 'quotedArguments', 'Number'].includes(callee.text) && first)
        return this.#text(first);
      if (callee.text === 'stepLine' && first) return this.#step(first);
      const made = this.#declaration(callee.text, node);
      const body = made && functionOf(made);
      if (body) return this.#deeper(() => this.#within(body, node, () => this.#returned(body, key)), key, node);
    }
    return this.#example(key, node, key);
  }

  /** Runs `work` as if `made` had been called so: its parameters get the arguments. */
  #within(made, call, work) {
    this.#frames.push({ made, call });
    try {
      return work();
    } finally {
      this.#frames.pop();
    }
  }

  /** Runs `work` with the argument for a parameter; undefined: no call has one. */
  #argument(name, work) {
    const frame = this.#frames.at(-1);
    const at =
      frame?.made.parameters.findIndex((one) => ts.isIdentifier(one.name) && one.name.text === name.text) ?? -1;
    if (at < 0 || !isParameter(name, frame.made)) return undefined;
    const { dotDotDotToken, initializer } = frame.made.parameters[at];
    const given = dotDotDotToken ? frame.call.arguments.slice(at) : frame.call.arguments[at];
    if (!given) return initializer ? work(initializer) : undefined;
    this.#frames.pop();
    try {
      return work(given);
    } finally {
      this.#frames.push(frame);
    }
  }

  #returned(made, key) {
    if (!ts.isBlock(made.body)) return this.#text(made.body);
    const returns = returnsOf(made.body);
    return returns.length === 0 ? '' : this.#text(returns[this.#choose(`return of ${key}`, returns.length)]);
  }

  /** The texts of a list; null: it is made at run time. */
  #list(node) {
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
      return this.#list(node.expression);
    if (ts.isConditionalExpression(node)) {
      const condition = node.condition.getText().replaceAll(/\s+/g, ' ');
      return this.#list(this.#choose(condition, 2) === 0 ? node.whenTrue : node.whenFalse);
    }
    if (ts.isArrayLiteralExpression(node))
      return node.elements.flatMap((element) => {
        if (ts.isSpreadElement(element)) return this.#list(element.expression) ?? [this.#text(element.expression)];
        return [this.#text(element)];
      });
    if (ts.isIdentifier(node)) {
      const value = this.#valueOf(node);
      if (value) return this.#list(value);
      return (
        this.#argument(node, (given) =>
          Array.isArray(given)
            ? given.flatMap((one) => (ts.isSpreadElement(one) ? (this.#list(one.expression) ?? []) : [this.#text(one)]))
            : this.#list(given),
        ) ?? null
      );
    }
    if (ts.isCallExpression(node)) {
      if (ts.isPropertyAccessExpression(node.expression)) {
        const name = node.expression.name.text;
        if (key(node).startsWith('Object.keys(')) {
          const owner = this.#objectOf(node.arguments[0]);
          return owner
            ? owner.properties.flatMap((one) => (one.name ? [one.name.text ?? one.name.getText()] : []))
            : null;
        }
        if (name === 'map' || name === 'flatMap') {
          const [each] = node.arguments;
          return each && ts.isArrowFunction(each) && !ts.isBlock(each.body) ? [this.#text(each.body)] : null;
        }
        return ['slice', 'filter'].includes(name) ? this.#list(node.expression.expression) : null;
      }
      if (node.expression.getText() === 'stepLines') return [this.#step(node.arguments[0])];
      const made = ts.isIdentifier(node.expression) && this.#declaration(node.expression.text, node);
      const body = made && functionOf(made);
      if (!body) return null;
      return this.#within(body, node, () => {
        if (!ts.isBlock(body.body)) return this.#list(body.body);
        const returns = returnsOf(body.body);
        return returns.length === 0
          ? null
          : this.#list(returns[this.#choose(`return of ${key(node)}`, returns.length)]);
      });
    }
    return null;
  }

  /** Shows a step, which `base/text/steps.ts` words, by the example of its command; one made elsewhere, by a retry. */
  #step(node) {
    return this.#example(`step ${/command: '([^']+)'/.exec(node.getText())?.[1] ?? 'retry'}`, node, key(node));
  }

  #steps(next) {
    return next.flatMap((node) => this.#stepsOf(node)).filter((step) => step !== '');
  }

  #stepsOf(node) {
    if (ts.isSpreadElement(node)) return this.#list(node.expression) ?? [];
    if (ts.isConditionalExpression(node)) {
      const ways = [node.whenTrue, node.whenFalse];
      const way = ways[this.#choose(key(node.condition), 2)];
      // Lists steps of another message where it is made; here, the other way shows the sentence.
      return isNextOfOther(way) && !ways.every(isNextOfOther) ? [nothing] : this.#stepsOf(way);
    }
    const isGiven =
      !this.#oneStep.has(node) && (isNextOfOther(node) || (ts.isIdentifier(node) && !this.#valueOf(node)));
    return this.#list(node) ?? (isGiven ? [] : [this.#text(node)]);
  }

  #known(node) {
    const before = new Map(this.missing);
    const text = this.#text(node);
    if (this.missing.size === before.size) return text;
    this.missing = before;
    return null;
  }

  #deeper(work, text, node) {
    if (this.#depth > 12) return this.#example(text, node, text);
    this.#depth += 1;
    try {
      return work();
    } finally {
      this.#depth -= 1;
    }
  }

  #example(name, node, whole) {
    const source = node.getSourceFile();
    const here = `${place(source.fileName)} ${name}`;
    const shown = this.#shown(here) ?? this.#shown(name);
    if (shown !== undefined) return shown;
    this.missing.set(
      `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1} (${name})`,
      `${whole} in ${this.#told}`,
    );
    return name;
  }

  #shown(name) {
    if (!Object.hasOwn(examples, name)) return undefined;
    this.used.add(name);
    return examples[name];
  }

  /** Returns the value of a name where it is used: the nearest constant around it, or one of its module. */
  #valueOf(node) {
    const made = this.#declaration(node.text, node);
    return made && ts.isVariableDeclaration(made) && made.initializer && isConstant(made) ? made.initializer : null;
  }

  #objectOf(node) {
    if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node))
      return this.#objectOf(node.expression);
    if (ts.isObjectLiteralExpression(node)) return node;
    if (!ts.isIdentifier(node)) return null;
    const value = this.#valueOf(node);
    return value ? this.#objectOf(value) : null;
  }

  #functionNamed(name, node) {
    const made = this.#declaration(name, node);
    return made && functionOf(made);
  }

  /**
   * Returns what `node` shows a person; null: nothing. A function that only passes on its argument shows it where it is
   * called.
   */
  #siteOf(node) {
    const site = objectSite(node) ?? usageSite(node) ?? this.#callSite(node);
    return !site?.message || isPassedOn(site.message) ? null : site;
  }

  #callSite(node) {
    if (!ts.isCallExpression(node)) return null;
    const callee = node.expression.getText();
    if (callee === 'report' || callee === 'odd')
      return { node, kind: 'finding', code: node.arguments[0], message: node.arguments[2] };
    if (!ts.isIdentifier(node.expression)) return null;
    const made = this.#functionNamed(callee, node);
    if (!made) return null;
    const given = (name) => {
      const at = made.parameters.findIndex((one) => one.name.getText() === name);
      if (at < 0) return undefined;
      const { dotDotDotToken, initializer } = made.parameters[at];
      if (dotDotDotToken) {
        const steps = [...node.arguments.slice(at)];
        for (const step of steps) this.#oneStep.add(step);
        return steps;
      }
      const argument = node.arguments[at] ?? initializer;
      return argument && [argument];
    };
    const found = this.#passes(made);
    if (!found) return null;
    const passed = (one) => {
      const name = ts.isSpreadElement(one) ? one.expression : one;
      return (ts.isIdentifier(name) && given(name.text)) || [one];
    };
    const code = found.code && passed(found.code)[0];
    const next = found.next?.flatMap((one) =>
      ts.isArrayLiteralExpression(one) ? one.elements.flatMap(passed) : passed(one),
    );
    const kind = { evidenceFinding: 'evidence', auditFinding: 'audit', memoryFinding: 'memory' }[callee] ?? found.kind;
    const message = given(found.message.text)?.[0];
    return message ? { node, kind, code, message, next } : null;
  }

  /** Returns what a function shows of the reason that it gets; null: nothing. */
  #passes(made) {
    const known = this.#passing.get(made);
    if (known !== undefined) return known;
    this.#passing.set(made, null);
    const names = new Set(made.parameters.map((one) => one.name.getText()));
    let found = null;
    const visit = (inner) => {
      if (found || (inner !== made && ts.isFunctionLike(inner) && inner !== made.body)) return;
      const site = objectSite(inner) ?? this.#callSite(inner);
      if (site?.message && ts.isIdentifier(site.message) && names.has(site.message.text)) found = site;
      else ts.forEachChild(inner, visit);
    };
    visit(made.body);
    this.#passing.set(made, found);
    return found;
  }

  #declaration(name, node) {
    for (let at = node.parent; at; at = at.parent) {
      const here = declaredIn(at, name);
      if (here === 'parameter') return null;
      if (here) return here;
    }
    const source = node.getSourceFile();
    for (const statement of source.statements) {
      if (
        !ts.isImportDeclaration(statement) ||
        !statement.importClause?.namedBindings ||
        !ts.isNamedImports(statement.importClause.namedBindings)
      )
        continue;
      const imported = statement.importClause.namedBindings.elements.find((element) => element.name.text === name);
      if (!imported) continue;
      const from = path.posix.join(path.posix.dirname(source.fileName), statement.moduleSpecifier.text);
      const module = this.#sources.get(`${from}.ts`);
      return module ? declaredIn(module, (imported.propertyName ?? imported.name).text) : null;
    }
    return null;
  }
}

/** `textAt(task, 'task_id')` and the like are replaced by an example. */
function isReadFromDocument(node) {
  return (
    ts.isCallExpression(node) &&
    /^(?:as|text|number|list|object|value)(?:At|Text|Number)$/.test(node.expression.getText())
  );
}

function key(node) {
  return node.getText().replaceAll(/\s+/g, ' ');
}

/** `next` of another message. */
function isNextOfOther(node) {
  return ts.isPropertyAccessExpression(node) && node.name.text === 'next';
}

/** An object of a message: code, reason and next steps, or a check of the doctor. */
function objectSite(node) {
  if (!ts.isObjectLiteralExpression(node)) return null;
  const at = (name) => propertyOf(node, name) ?? shorthandOf(node, name);
  const message = at('reason') ?? at('message');
  const next = at('next');
  if (at('id') && at('detail') && at('fix'))
    return { node, kind: 'doctor', code: at('id'), message: at('detail'), next: [at('fix')] };
  const code = at('code') ?? at('category');
  if (!message || !code) return null;
  const kind = next ? 'refusal' : at('pointer') ? 'finding' : 'stop';
  return { node, kind, code, message, next: next && [next] };
}

function usageSite(node) {
  if (!ts.isNewExpression(node) || node.expression.getText() !== 'UsageError') return null;
  return { node, kind: 'usage', code: 'USAGE', message: node.arguments[0] };
}

/** Skips a text of another message, because it is listed where that one is made. */
function isPassedOn(message) {
  if (ts.isPropertyAccessExpression(message)) return ['reason', 'message', 'explanation'].includes(message.name.text);
  return ts.isIdentifier(message) && isParameter(message);
}

/** Returns whether the name is a parameter of a function around it (of this one). */
function isParameter(name, of) {
  for (let at = name.parent; at; at = at.parent) {
    const here = declaredIn(at, name.text);
    if (here) return here === 'parameter' && (of === undefined || at === of);
  }
  return false;
}

function propertyOf(object, name) {
  const found = object.properties.find(
    (one) => ts.isPropertyAssignment(one) && (one.name.text ?? one.name.getText()) === name,
  );
  return found?.initializer;
}

function shorthandOf(object, name) {
  return object.properties.find((one) => ts.isShorthandPropertyAssignment(one) && one.name.text === name)?.name;
}

/** Returns what declares the name in this scope, not in those inside it. */
function declaredIn(scope, name) {
  if (ts.isFunctionLike(scope) && scope.parameters?.some((one) => bindingNames(one.name).includes(name)))
    return 'parameter';
  if (
    (ts.isForOfStatement(scope) || ts.isForStatement(scope)) &&
    scope.initializer &&
    ts.isVariableDeclarationList(scope.initializer)
  )
    return scope.initializer.declarations.some((made) => bindingNames(made.name).includes(name)) ? 'parameter' : null;
  if (!ts.isBlock(scope) && !ts.isSourceFile(scope) && !ts.isModuleBlock(scope) && !ts.isCaseClause(scope)) return null;
  for (const statement of scope.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement;
    if (!ts.isVariableStatement(statement)) continue;
    for (const made of statement.declarationList.declarations) {
      if (ts.isIdentifier(made.name) ? made.name.text === name : bindingNames(made.name).includes(name))
        return ts.isIdentifier(made.name) ? made : 'parameter';
    }
  }
  return null;
}

function bindingNames(name) {
  return ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (element.name ? bindingNames(element.name) : []));
}

function isConstant(made) {
  return (made.parent.flags & ts.NodeFlags.Const) !== 0;
}

function functionOf(made) {
  if (ts.isFunctionDeclaration(made)) return made.body ? made : null;
  const value = made.initializer;
  return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? value : null;
}

function returnsOf(body) {
  const found = [];
  const visit = (node) => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    else if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

/** Folder and name of a file, by which an example names its place. */
function place(fileName) {
  return fileName.split('/').slice(-2).join('/').replace(/\.ts$/, '');
}
