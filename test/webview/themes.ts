import { readFileSync } from 'node:fs';
import path from 'node:path';

export const themes = ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const;
export type Theme = (typeof themes)[number];

/** The variables that VS Code 1.139 gave to a webview: every variable of its default themes. */
export function variablesOf(theme: Theme): Readonly<Record<string, string>> {
  const file = path.join('test/webview/themes', `${theme}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
}

/** A script that puts the theme on, the way VS Code does when a person chooses another. */
export function themeStyle(theme: Theme): string {
  return `(() => {
  const { style } = document.documentElement;
  style.cssText = '';
  for (const [name, value] of Object.entries(${JSON.stringify(variablesOf(theme))})) style.setProperty(name, value);
  document.body.classList.remove(${themes.map((one) => `'vscode-${one}'`).join(', ')});
  document.body.classList.add(${classesOf(theme)});
  document.body.dataset.vscodeThemeKind = 'vscode-${theme}';
})()`;
}

/** VS Code calls its light theme of high contrast by both names. */
function classesOf(theme: Theme): string {
  const names = theme === 'high-contrast-light' ? [theme, 'high-contrast'] : [theme];
  return names.map((name) => `'vscode-${name}'`).join(', ');
}

/**
 * The document as the extension makes it. VS Code puts its theme and its own style sheet into it before the policy
 * that the document declares comes into force; the page lies on the editor's background.
 */
export function panePage(): string {
  const nonce = 'a-nonce-of-the-test';
  const policy = `default-src 'none'; style-src 'self'; script-src 'nonce-${nonce}'`;
  const variables = Object.entries(variablesOf('dark')).map(([name, value]) => `${name}: ${value};`);
  return `<!DOCTYPE html>
<html lang="en" style="${variables.join(' ').replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">
<head>
<style id="_defaultStyles">${readFileSync('test/webview/themes/default.css', 'utf8')}
html { background: var(--vscode-editor-background); }</style>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="page.css">
<title>Mission Control</title>
</head>
<body class="vscode-dark" data-vscode-theme-kind="vscode-dark">
<div id="app"></div>
<script nonce="${nonce}" src="page.js"></script>
</body>
</html>`;
}
