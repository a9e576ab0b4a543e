import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of package.json, one above `dist/`. */
const packageDir = path.resolve(__dirname, '..');
export const webviewDir = path.join(packageDir, 'dist', 'webview');
export const cliFile = path.join(packageDir, 'dist', 'cli.js');
export const supervisorFile = path.join(packageDir, 'dist', 'supervisor.cjs');

export function toolVersion(): string {
  const { version } = JSON.parse(readFileSync(path.join(packageDir, 'package.json'), 'utf8')) as { version?: unknown };
  if (typeof version !== 'string') throw new Error(`${packageDir}/package.json has no version.`);
  return version;
}
