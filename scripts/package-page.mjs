// Writes dist/extension-page.md, which `npm run package` takes as the README of the extension.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { extensionPage } from './extensionPage.mjs';

const root = path.resolve(import.meta.dirname, '..');
mkdirSync(path.join(root, 'dist'), { recursive: true });
const page = extensionPage((file) => readFileSync(path.join(root, file)));
writeFileSync(path.join(root, 'dist/extension-page.md'), page);
