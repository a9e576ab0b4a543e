import assert from 'node:assert/strict';
import path from 'node:path';
import vm from 'node:vm';
import esbuild from 'esbuild';

/** As much of an element as the page's own functions use. */
class Element {
  readonly attributes: Record<string, string> = {};
  readonly children: unknown[] = [];
  textContent = '';
  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }
  append(child: unknown): void {
    this.children.push(child);
  }
  get dataset(): Record<string, string | undefined> {
    const { attributes } = this;
    return { since: attributes['data-since'], before: attributes['data-before'], after: attributes['data-after'] };
  }
}

interface Dom {
  readonly el: (tag: string, attributes: Readonly<Record<string, string>>, ...children: readonly unknown[]) => Element;
  readonly since: (iso: string, before: string, after: string) => Element;
  readonly time: (iso: string) => Element;
}

async function dom(): Promise<Dom> {
  const built = await esbuild.build({
    entryPoints: [path.resolve('webview-ui/src/dom.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'dom',
    logLevel: 'silent',
  });
  const page = { Node: Element, document: { createElement: () => new Element() }, dom: null as unknown };
  vm.runInNewContext(`${built.outputFiles[0]?.text ?? ''}\nthis.dom = dom;`, page);
  return page.dom as Dom;
}

describe('text on the page of Mission Control', () => {
  const hostile = 'a\nb\u001b[8m\u202e<img src=x onerror=1>';
  const shown = String.raw`a\nb\x1b[8m\u202e<img src=x onerror=1>`;

  it('is text with every character visible, as a child, in an attribute and beside a time', async () => {
    const { el, since, time } = await dom();
    const inner = el('b', {}, 'plain');
    const node = el('p', { title: hostile }, hostile, null, inner);
    assert.equal(node.attributes['title'], shown);
    assert.deepEqual(node.children, [shown, inner]);
    const told = since('2026-01-01T00:00:00Z', hostile, hostile).textContent;
    assert.ok(told.startsWith(shown) && told.endsWith(shown), told);
    assert.deepEqual(time(hostile).children, [shown]);
  });
});
