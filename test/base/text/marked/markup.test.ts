import assert from 'node:assert/strict';
import { markup, markupOf, sentence } from '../../../../src/base/text/marked/markup';
import { ui } from '../../../../src/base/text/marked/ui';

describe('markup of pages without scripts', () => {
  it('makes text of every value, in elements and in attributes', () => {
    const hostile = `"><script>alert('1')</script>&amp;\n\u202e`;
    const shown = String.raw`&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;\n\u202e`;
    assert.equal(markup`<p title="${hostile}">${hostile}</p>`.toString(), `<p title="${shown}">${shown}</p>`);
    assert.equal(markupOf(ui`a ${'<b>'}`).toString(), 'a &lt;b&gt;');
  });

  it('keeps what is markup already', () => {
    assert.equal(markup`<p>${markup`<b>${1}</b>`}</p>`.toString(), '<p><b>1</b></p>');
  });

  it('shows a command in backticks as code, and a single backtick as it is', () => {
    assert.equal(sentence('Install it: `apt-get <x>`.').toString(), 'Install it: <code>apt-get &lt;x&gt;</code>.');
    assert.equal(sentence('A ` alone').toString(), 'A ` alone');
  });
});
