import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Reply } from '../../adapters/events/server';
import { webviewDir } from '../shell/program';

/** The files of the page; everything else is not there. */
const files: Readonly<Record<string, string>> = {
  '/page.js': 'text/javascript; charset=utf-8',
  '/browser.js': 'text/javascript; charset=utf-8',
  '/page.css': 'text/css; charset=utf-8',
  '/browser.css': 'text/css; charset=utf-8',
};

/** The page that the extension shows, with what a plain browser lacks; null: it has no such file. */
export async function browserFile(asked: string): Promise<Reply | null> {
  if (asked === '/') return document();
  const type = files[asked];
  return type === undefined ? null : { kind: 'body', type, body: await readFile(path.join(webviewDir, asked), 'utf8') };
}

/** Our own style sheets, the two scripts with the nonce, and this server; nothing else, and in no frame. */
function document(): Reply {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; style-src 'self'; script-src 'nonce-${nonce}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const body = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
<link rel="stylesheet" href="browser.css">
<title>Mission Control</title>
</head>
<body class="in-browser">
<p id="standing" role="status"></p>
<div id="app"></div>
<script nonce="${nonce}" src="browser.js"></script>
<script nonce="${nonce}" src="page.js"></script>
</body>
</html>`;
  return { kind: 'body', type: 'text/html; charset=utf-8', body, policy };
}
