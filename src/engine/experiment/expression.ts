/**
 * Expressions of claims: numbers, metric names, + - * / min() max() and parentheses. Read by this parser into a tree and
 * evaluated over it; nothing from a file is ever run.
 *
 * A metric name may contain "/" and "-" (`memcg./app.oom_kill`, `linux-6.18:vmstat.pswpout`), which are operators too. A run
 * of name characters is taken as one name where such a metric exists, else as names with operators between; a name in
 * quotes is always one name.
 */
export const MAX_EXPRESSION_LENGTH = 1024;
export const MAX_EXPRESSION_DEPTH = 32;

export type Lookup = (name: string) => number | string | undefined;

type Node =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'minus'; readonly of: Node }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly kind: 'min' | 'max'; readonly of: readonly Node[] };

/** A reason for people, with the place in the text (first character is 1). */
class ExpressionError extends Error {}

type Token = { readonly kind: 'number' | 'name' | 'sign' | 'end'; readonly text: string; readonly at: number };

const WIDE_NAME = /[A-Za-z_](?:[A-Za-z0-9_.:@]|[/-](?=[A-Za-z0-9_/.]))*/y;
const NARROW_NAME = /[A-Za-z_][A-Za-z0-9_.:@]*/y;
const NUMBER = /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![A-Za-z0-9_.])/y;

const tokenize = (text: string, wide: boolean): Token[] => {
  const tokens: Token[] = [];
  let at = 0;
  const sticky = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const c = text[at];
    if (c === ' ' || c === '\t') {
      at++;
      continue;
    }
    const place = at + 1;
    const found = sticky(NUMBER) ?? sticky(wide ? WIDE_NAME : NARROW_NAME);
    if (found !== undefined) {
      tokens.push({ kind: /[0-9.]/.test(c) ? 'number' : 'name', text: found, at: place });
      at += found.length;
    } else if (c === '"') {
      const end = text.indexOf('"', at + 1);
      if (end < 0) throw new ExpressionError(`the name that begins with a quote at character ${place} does not end`);
      tokens.push({ kind: 'name', text: text.slice(at + 1, end), at: place });
      at = end + 1;
    } else if ('+-*/(),'.includes(c)) {
      tokens.push({ kind: 'sign', text: c, at: place });
      at++;
    } else throw new ExpressionError(`unexpected "${c}" at character ${place}`);
  }
  tokens.push({ kind: 'end', text: '', at: text.length + 1 });
  return tokens;
};

class Parser {
  private next = 0;
  private depth = 0;
  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Node {
    const node = this.sum();
    if (this.peek().kind !== 'end') this.fail('an operator or the end');
    return node;
  }

  private peek(): Token {
    return this.tokens[this.next];
  }

  private take(sign: string): boolean {
    const token = this.peek();
    if (token.kind !== 'sign' || token.text !== sign) return false;
    this.next++;
    return true;
  }

  private fail(expected: string): never {
    const { kind, text, at } = this.peek();
    throw new ExpressionError(`expected ${expected} at character ${at}, got ${kind === 'end' ? 'the end' : `"${text}"`}`);
  }

  private sum(): Node {
    let left = this.product();
    for (;;) {
      const operator = this.take('+') ? '+' : this.take('-') ? '-' : '';
      if (!operator) return left;
      left = { kind: 'binary', operator, left, right: this.product() };
    }
  }

  private product(): Node {
    let left = this.factor();
    for (;;) {
      const operator = this.take('*') ? '*' : this.take('/') ? '/' : '';
      if (!operator) return left;
      left = { kind: 'binary', operator, left, right: this.factor() };
    }
  }

  private factor(): Node {
    if (++this.depth > MAX_EXPRESSION_DEPTH) throw new ExpressionError(`nests more than ${MAX_EXPRESSION_DEPTH} deep`);
    const node = this.bare();
    this.depth--;
    return node;
  }

  private bare(): Node {
    if (this.take('-')) return { kind: 'minus', of: this.factor() };
    if (this.take('(')) {
      const node = this.sum();
      if (!this.take(')')) this.fail('")"');
      return node;
    }
    const token = this.peek();
    if (token.kind === 'number') {
      this.next++;
      return { kind: 'number', value: Number(token.text) };
    }
    if (token.kind !== 'name') this.fail('a number, a metric or "("');
    this.next++;
    if ((token.text === 'min' || token.text === 'max') && this.take('(')) {
      const of = [this.sum()];
      while (this.take(',')) of.push(this.sum());
      if (!this.take(')')) this.fail('"," or ")"');
      return { kind: token.text, of };
    }
    return { kind: 'name', name: token.text };
  }
}

/** Left-leaning chains are as deep as they are long, so trees are walked with the text's length limit in mind (≤ 1024). */
const namesIn = (node: Node, names: string[]): string[] => {
  if (node.kind === 'name') names.push(node.name);
  else if (node.kind === 'minus') namesIn(node.of, names);
  else if (node.kind === 'binary') {
    namesIn(node.left, names);
    namesIn(node.right, names);
  } else if (node.kind !== 'number') for (const inner of node.of) namesIn(inner, names);
  return names;
};

const evaluate = (node: Node, lookup: Lookup): number => {
  switch (node.kind) {
    case 'number':
      return node.value;
    case 'name': {
      const value = lookup(node.name);
      return typeof value === 'number' ? value : NaN;
    }
    case 'minus':
      return -evaluate(node.of, lookup);
    case 'binary': {
      const left = evaluate(node.left, lookup);
      const right = evaluate(node.right, lookup);
      if (node.operator === '+') return left + right;
      if (node.operator === '-') return left - right;
      return node.operator === '*' ? left * right : left / right;
    }
    default: {
      const values = node.of.map((inner) => evaluate(inner, lookup));
      return node.kind === 'min' ? Math.min(...values) : Math.max(...values);
    }
  }
};

const parse = (text: string, wide: boolean): Node => {
  if (text.length > MAX_EXPRESSION_LENGTH) throw new ExpressionError(`has more than ${MAX_EXPRESSION_LENGTH} characters`);
  return new Parser(tokenize(text, wide)).whole();
};

/** What is wrong with the text of an expression, as a sentence; undefined when it can be read. */
export const checkExpression = (text: string): string | undefined => {
  try {
    parse(text, true);
    parse(text, false);
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    try {
      parse(text, true);
      return undefined;
    } catch {
      return error.message;
    }
  }
};

export type ExpressionValue =
  | { readonly ok: true; readonly value: number }
  /** Metrics that are not there (yet), or are texts. */
  | { readonly ok: false; readonly missing: readonly string[] };

/** @throws ExpressionError for a text that checkExpression() refuses */
export const evaluateExpression = (text: string, lookup: Lookup): ExpressionValue => {
  let missing: string[] = [];
  for (const wide of [true, false]) {
    let tree: Node;
    try {
      tree = parse(text, wide);
    } catch (error) {
      if (wide) throw error;
      break;
    }
    const absent = namesIn(tree, []).filter((name) => typeof lookup(name) !== 'number');
    if (absent.length === 0) return { ok: true, value: evaluate(tree, lookup) };
    if (wide || absent.length < missing.length) missing = absent;
  }
  return { ok: false, missing: [...new Set(missing)] };
};
